//! Words that are near to words of the tables, but are no typing errors or forms of them.

pub(super) const WORDS: &str = "aerie aerial alien altar amend autistic baring beater bell bells binding bitter blanch bland blaster bleed blond border \
    boulder brand breeze broke broker brunt buster butter calendar canter carton casting chance chances charge \
    charger charging charity chill chip chips claim claims clipper clout conserving contract cooker cookers copier \
    cottage crash cricket crime crust danker defeat define deflect detain detect dimension dream edged expensive \
    extent falter fencer filler fitter flats floater flows flute freshly garner garnish garter girder glaze goods \
    granny grasp greed greet groom healer helper herbs homer honey hotel incline inferior insider jaunt lager lanes \
    learning lease leased leasing lever lifeline lightning limes linden linear linen linens liner link links liver live \
    lives locker lockers lodger logger loner lovely mantel mantle marten matter mound natures niche noose optimism \
    outsider overlook overlooked overlooking oversize panting pastor pasty paunch peering piano pinch pinto planar planta plantas \
    plates plaza plumbing plump plums popes prefect printing profess propel prosper qualify ranger raven reader \
    rector refile regain renter repaid reprint restate retail ringer rinse risen rises satin satire scarf scars \
    scatter settle sewer shard shave shower showers showy photograph photographs simmer skier skip slave somber sonny spare sparing spatter species sprint \
    stake stale stare start starts state stated storey story strain strays string structured stunt taper tasty \
    teller temper tiller tingle toast toner torch tough trust tunes twist vantage vibrate vice vines voice wader \
    waiter wares warned warning washer washers waste wears whine widow wilder winner wiper wiser wish write writer \
    chain chains taste tastes picky vents vests verbs insist insists demand demands viewing viewings";
