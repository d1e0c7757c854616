//! English words for things, surfaces and damage, and for what is refused.

use crate::photo::item::Item::{self, *};
use crate::photo::request::Refusal as R;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Thing,
        "greenery,foliage,potted plants,potted plant,socket,sockets,radiators,neighbours,neighbors,neighbour,board,\
         washing line,clothesline,wheelie bins,wheelie bin,recycling,skip bin,pylons,pylon,car,cars,vehicle,vehicles,truck,van,\
         person,people,woman,guy,girl,boy,child,children,kid,kids,pedestrian,pedestrians,dog,cat,pet,pets,bird,animal,animals,\
         debris,dust,lens dust,dust spots,sensor dust,sensor spots,trash,trash can,trash cans,garbage,garbage can,garbage cans,\
         rubbish,bin,bins,trash bin,trash bins,dumpster,hose,garden hose,ladder,bike,bikes,bicycle,toys,toy,cord,cords,cable,\
         cables,wire,wires,electric wires,power line,power lines,powerline,powerlines,power cord,telephone pole,utility pole,\
         pole,poles,sign,signs,for sale sign,yard sign,stuff,items,objects,object,item,junk,clutter,mess,furniture,sofa,couch,\
         chair,chairs,armchair,bed,table,tables,desk,dresser,tv,tvs,television,screen,fridge,fridge magnets,magnets,\
         personal photos,family photos,photos on wall,pictures on wall,personal items,personal belongings,belongings,\
         reflection,reflections,photographer,tripod,watermark,watermarks,logo,logos,text,date stamp,datestamp,timestamp,\
         time stamp,snow,leaves,fallen leaves,toilet seat,boxes,box,bags,bag,dishes,laundry,clothes,towel,towels,shoes,weeds,\
         weed,tree,trees,bush,bushes,plant,plants,flower,flowers,vase,fence,neighbor,neighbors house,pool,swimming pool,\
         hot tub,background,tarp,construction,scaffolding,air conditioner,ac unit,satellite dish,antenna,graffiti,\
         license plate,license plates,number plate,curtain,curtains,blinds,rug,distractions,distraction,distracting objects,\
         smoke detector,rainbow,lens flare,sun,sun rays,grill,trampoline,swing set,playground,water,decor,decoration,\
         decorations,artwork,painting on wall,wall art,pillow,pillows,bedding,blanket,toilet,toiletries,soap,bottles,papers,\
         books,jumper,fan,heater,radiator,outlet,outlets,switches,crane,bench,umbrella,deck chairs,patio furniture,barbecue,\
         boat,rv,trailer,caravan,motorcycle,mailbox,street light,street lights,lamp post,traffic cone,cones,puddle,puddles,\
         oil stain on driveway,leaf,branch,branches,shadow of photographer,my shadow,photographers shadow,hand,finger,face,\
         faces,telly,lampposts,lamp posts,telegraph pole,power pole,mower,lawnmower,sprinkler,wheelbarrow,paddling pool,\
         trampolines,shed,garden gnome,gnome,tools,bucket,broom,vacuum,hoover,mop,ironing board,drying rack,clothes rack,\
         clothes horse,airer,suitcase,suitcases,luggage,backpack,stroller,pram,buggy,high chair,crib,dog bed,cat tree,\
         litter box,food bowl,kettle,toaster,microwave,dishwasher,washing machine,dryer,fridge freezer,oven,bottle,\
         glass bottles,cups,mug,mugs,plates on table,pan,pans,pots,post it notes,sticky notes,calendar on wall,poster,posters,\
         clock,charger,chargers,plug,plugs,extension lead,extension cord,router,remote,remotes,console,speaker,speakers,laptop,\
         computer,printer,phone on table,keys,purse,coat,coats,coat rack,jackets,hangers,shoe rack,slippers,doormat,mat,mats,\
         bath mat,shower curtain,toothbrush,toothbrushes,shampoo,shampoo bottles,razor,toilet brush,toilet paper,toilet roll,\
         laundry basket,bin bags,trash bags,garbage bags,dumpsters,crates,pallets,pallet,bricks pile,rubble,weeds in driveway,\
         tyre,tyres,tires,scooter,motorbike,moped,lorry,bus,excavator,digger,tent,cardboard,cardboard boxes,package,packages,\
         parcel,parcels,newspaper,newspapers,magazines on table,ashtray,cigarette butts,candles,candle,vases,houseplant,\
         houseplants,plant pot,plant pots,flower pot,flower pots,cushions,cushion,throws,duvet,lamp shade,chandelier,\
         ceiling light,air con,air conditioning unit,aircon,ac,thermostat,smoke alarm,intercom,alarm,security camera,\
         tripod legs,photographers reflection,my reflection,own reflection,hand print,fingerprints,thumb,strap,camera strap,\
         lens cap,dust spot,raindrops,rain drops,water drops,spider web,cobweb,cobwebs,insect,insects,horse,cow,chickens,birds,\
         pigeon,seagull,grandma,grandfather,husband,wife,tenant,tenants,guy on the left,passer by,passers by,passerby,\
         passersby,tourist,tourists,cyclist,baby,toddler,neighbour car,neighbours car,neighbors car,parked car,parked cars,\
         red car,parking sign,street sign,street signs,billboard,hoarding,banner,flag,flagpole,wind turbine,wind turbines,\
         chimney,chimneys,antennas,dish,electricity pole,electricity lines,overhead lines,overhead wires,overhead cables,\
         telephone wires,telephone lines,hydrant,manhole,drain,drain cover,gas tank,oil tank,water tank,water butt,compost,\
         compost heap,washing,sheets,pajamas,underwear,socks,teddy,doll,lego,bouncy castle,swing,goalposts,basketball hoop,bbq,\
         barbecues,parasol,sunlounger,sun loungers,loungers,deckchairs,plastic chairs,price tag,sticker,stickers,\
         date in the corner,timestamps,copyright,text in the corner,caption,arrow,arrows,emoji,phone number,graffitis,\
         lights of cars,fruit bowl,bowl,fruit,apples,flowers on table,bouquet,coffee,coffee cup,wine,champagne,breakfast,tea,\
         bookshelf,shelf,shelves,wardrobe,sideboard,nightstand,bedside table,bedside lamp,stool,stools,bar stools,ottoman,pouf,\
         bench seat,dining table,coffee table,kitchen island stools,mountains,mountain,palm,palm trees,palms,beach,lake,\
         garden furniture,sunflowers,roses,hedge,hedges,shrub,shrubs,ivy,creeper,stump,tree stump,swans,dogs,cats,kitten,puppy,\
         cyclists,joggers,pedestrian crossing,log fire,roaring fire,fire,flames,neighbouring house,neighboring house,\
         neighbouring building,neighbors building,building next door,house next door,building behind,house behind,block behind,\
         tower block,power station,factory,petrol station,church,crane in the background,cranes,scaffold,building site,\
         roadworks,barrier,barriers,fence post,wheelie,trash can lid,mirrors,mirror on wall,the mirror,a man,the man,old man,\
         man in,man on,man with,men",
    ),
    (
        Surface,
        "worktop,worktops,wall,walls,ceiling,ceilings,floor,floors,flooring,cabinet,cabinets,countertop,countertops,counter,\
         counters,trim,door,doors,door frame,door frames,facade,siding,roof,brick,bricks,wood,tile,tiles,backsplash,carpet,\
         hardwood,driveway,deck,patio,island,vanity,stairs,staircase,marble,granite,paint color,foreground,landscaping,\
         landscape,corner,corners,woodwork,moldings,hallway walls,structure of building,architecture,layout,composition,\
         framing,fixtures,materials,finishes,doors and windows,window frames,proportions,architectural details,\
         architectural detail,architectural features,structural details,building details,details of the building,wallpaper,\
         parquet,skirting,skirting boards,baseboard,baseboards,window frame,window sill,windowsill,banister,railing,railings,\
         balcony,balconies,terrace,garage door,front door,gutter,gutters,shutters,splashback,sink,bathtub,bath tub,tub,shower,\
         stone,paving,gravel,path,pathway,chimney breast,fireplace surround,mantelpiece,ceiling beams,beams,grout,tap,faucet,\
         stove",
    ),
    (
        Damage,
        "crack,cracks,hole,holes,damage,damaged,water stain,water stains,water damage,peeling paint,peeling,mold,mould,dent,\
         dents,scratch,scratches,scuff,scuffs,scuff marks,rust,rot,imperfection,imperfections,flaws,flaw,defects,defect,\
         blemish,blemishes,chipped,broken,wear,worn,wear and tear,spots on wall,leak,leaks,nail holes,patch in wall,crumbling,\
         torn,ripped,mildew,damp,damp patch,damp patches,moisture,cracked,wear marks,cracked plaster,peeling wallpaper,\
         broken tile,broken tiles,broken window,rusty,rotten,water marks,burn mark,burn marks,leaking,ceiling damage,woodworm,\
         chips in paint,shabby,dilapidated,run down,missing tile,missing tiles,flaking",
    ),
    (
        Refused(R::Remove),
        "clear worktop,clear the worktop,clear kitchen,clear the kitchen,clear sink,clear the desk,clear the floor,declutter,\
         decluttering,decluttered,clean up,cleanup,tidy up,tidy,clear the counter,clear counters,clear the table,empty room,\
         empty the room,empty,vacant,depersonalize,depersonalise,clean off,unfurnished,object removal,item removal,\
         clear the room,clear surfaces,cleared,de clutter,de cluttered,de cluttering,clean up the room,clean the room,\
         tidy the room,tidy everything,clear out the room,clear it out,strip the room,no clutter,less clutter,less cluttered,\
         messy,untidy,clear off the counter,clear the worktops,clear the clutter,clean the kitchen,clean desk,clean counters,\
         tidied,tidied up,tidying,unclutter,make it tidy,make tidy,clear the garden,tidy garden",
    ),
    (
        Refused(R::Add),
        "virtual furniture,stage,staging,virtual staging,virtually stage,furnish,furnished,staged,decorate,restage,populate,\
         fire in fireplace,fire in the fireplace,fire to fireplace,fire burning in fireplace,dress the room,dress the table,\
         set the table,lay the table,kit out,fit out,home stage,furnishing,fill the room,fill the empty room,some furniture in,\
         photoshop a,virtual stage",
    ),
    (
        Refused(R::Lights),
        "illuminate windows,illuminate all windows,light up windows,light the windows,lights should be on,lights be on,\
         lights to be on,turn on lights,lights on,light on,switch on lights,switch lamps on,switch lights on,turn lamps on,\
         turn on lamps,lamps on,windows glow,glowing,glow from inside,glow from within,glow in windows,glow through windows,\
         window glow,interior lights,light the fireplace,light the fire,lit fireplace,turn on,fireplace,switch on,lit windows,\
         glow from windows,lit from within,porch light on,landscape lighting,turn lights on,warm lights in windows,\
         lights in windows,lamps glow,lights glow,lamp glow,glow in lamps,turn tv on,turn telly on,tv on,turn the tv on,\
         switch the fireplace on,fireplace lit,light the candles,candles lit,lamps lit,lights lit,lit lamps,turn the lamp on,\
         turn the lamp off,turn lamp off,switch lamp on,switch lamp off,switch lights off,switch the lights off,\
         switch off the lights,switch off lights,turn lights off,turn the lights off,turn off the lights,turn off lights,\
         lights off,lamps off,light off,lights out,lamp on,lamp off,put the lights on,put lights on,put the light on,\
         get the lights on,lights glowing,lamps glowing,illuminated windows,switch the light on,turn the light on,\
         switch on the light,light the lamps,light up the lamps,turn on the lamp,turn on the chandelier,turn the chandelier on,\
         porch light,interior lights on,all lights on,illuminate the house,pool lights,pool lights on,spotlights on,\
         ceiling lights on,turn off,switch off,light up chandelier,light up lamp,light up candles,light up the fireplace,\
         chandelier on,light the chandelier",
    ),
    (
        Refused(R::Alter),
        "clean driveway,clean the driveway,clean pool,clean windows,clean the walls,clean floor,clean carpet,clean roof,\
         pressure wash,mow,mow the lawn,trim the hedge,paint,repaint,renovate,remodel,wall color,recolor,recolour,new kitchen,\
         new floors,new flooring,new countertops,new kitchen countertops,new paint,redesign,restyle,redecorate,refinish,reface,\
         color of walls,color of the walls,renovation,fresh coat of paint,replace furniture,make bed,make the bed,made bed,\
         open curtains,open blinds,open the curtains,open the blinds,close toilet lid,close the toilet lid,\
         close the toilet seat,cabinets white,cabinet white,doors white,door white,floor white,sofa white,different floor,\
         different flooring,different wall,different walls,different color walls,wooden floor,oak parquet,new wallpaper,\
         new bathroom,new windows,new doors,new door,new roof,new carpet,new tiles,new tile,new cabinets,new furniture instead,\
         modernize,modernise,update the kitchen,update the bathroom,change the style of the house,extension,add a floor,\
         another storey,add a window,add windows,add a balcony,add a door,knock down wall,knock down the wall,open plan,\
         walls blue,walls grey,walls gray,walls beige,walls green,white walls instead,paint over,render the walls,refurbish,\
         sandblast,retile,retiled,tiled,refurnish,plant trees,shut the toilet lid,close the lid,open the door,close the door,\
         shut the door,open the window,close the window,close windows,empty the bin,make beds,steam clean,wash the windows,\
         wash the car,mow grass,mow lawn,mown,freshly mown,trim the bushes,trim hedges,fill the pool,clean the pool,\
         clean the roof,clean the facade,clean the gutters,white kitchen,grey kitchen,gray kitchen,wood floor,hardwood floor,\
         hardwood floors,marble floor,tiles white,plaster the walls,new plaster",
    ),
    (
        Refused(R::TimeOfDay),
        "night,nighttime,night shot,night time,at night,night sky,starry,starry sky,stars,sunrise,dawn,rain,rainy,stormy,\
         storm clouds,dramatic sky,dramatic clouds,northern lights,moon,moonlight,midnight,moody sky,nightlife,night mode,\
         nocturnal,dark outside,night outside,taken at night,early morning,morning light sky,at dawn,daybreak,foggy morning,\
         thunderstorm,lightning,thunder,full moon,milky way,new years,fireworks,sky dramatic,raining",
    ),
    (
        Refused(R::Style),
        "black and white,monochrome,sepia,vintage,retro,film look,film,painting,cartoon,sketch,watercolor,watercolour,\
         cinematic,anime,vignette,vignetting,filter,film grain,add grain,teal and orange,grayscale,greyscale,oil painting,\
         instagram,polaroid,lut,artistic,art,cinematic look,color grade,color grading,matte,pencil,3d,3d render,rendering,\
         like a render,like render,light leaks,double exposure,b and w,b w,bw,bnw,comic,comic book,manga,ghibli,pixar,disney,\
         van gogh,monet,picasso,impressionist,watercolors,pencil drawing,pencil sketch,ink drawing,charcoal drawing,pop art,\
         lomo,lomography,kodak,portra,fuji look,analog,analogue,analog film,35mm,vhs,noir,film noir,duotone,infrared,cyberpunk,\
         vaporwave,steampunk,futuristic,grunge,hdr grunge,grungy,old photo,old fashioned photo,1970s,70s,80s,90s,1980s,\
         50s look,faded film,moody filter,snapchat filter,lightroom preset,preset,presets,orange and teal,wes anderson,\
         matte look,blueprint,line drawing,line art,drawing,illustration,artsy,posterize,mosaic,stained glass effect,glitch,\
         neon style,solarize,negative,invert,invert colors,cross process,bleach bypass,glamour glow,orton effect,\
         soft glow filter,vsco,valencia,sin city,selective color,color splash,video game,cgi,black n white,black white,\
         bl and wh,b n w,blk and wht,blk n wht,arty",
    ),
    (
        Refused(R::Frame),
        "cut off,cut left,cut right,cut top,cut bottom,landscape instead,portrait instead,picture landscape,picture portrait,\
         vertical format,horizontal format,crop,cropping,rotate,flip,mirror image,mirror it,resize,aspect ratio,zoom,zoom in,\
         zoom out,landscape format,portrait format,landscape orientation,portrait orientation,extend,uncrop,reframe,\
         square format,square crop,widescreen,recrop,outpaint,center,recenter,pixels,dimensions,tighter,crop in,file size,\
         compress,thumbnail,3:2,2:3,4:3,3:4,16:9,9:16,1:1,5:4,4:5,16:10,cropped,square,to a square,as a square,into a square,\
         portrait,landscape mode,portrait mode crop,upright format,vertical crop,turn it 90,turn 90 degrees,turn it around,\
         turn upside down,upside down,flipped,mirrored,mirror,flip it,mirror the image,mirror the photo,cut away the,cut the,\
         trim off,trim the edges,trim edges,white border,black border,border,borders,frame around,white frame,black frame,\
         add a frame,margin,padding,letterbox,passepartout,passe partout,polaroid frame,rounded corners,panorama format,a4,\
         format,banner size,1080,1920,1080x1080,1920x1080,for stories,story format,reel format,9x16,16x9,4x5,4x3,3x2,zoomed in,\
         zoomed out,zoom closer,closer crop,tight crop,crop tighter,wider crop,wider frame,show more of the room,\
         show more on the left,show more on the right,extend the image,extend the photo,extend canvas,canvas,expand the image,\
         fill in the edges,straight out crop,shrink,downsize,smaller file,smaller size,reduce the size,reduce file size,\
         under 2 mb,under 1mb,convert to png,png,jpg,jpeg format,webp,pdf,rotated,rotation,clockwise,counterclockwise",
    ),
    (
        Refused(R::Blur),
        "background blurry,background blurred,background out of focus,background soft,blur,blur out,bokeh,pixelate,\
         depth of field,blurred background,blurry background,portrait mode,tilt shift,anonymize,censor,blurry foreground,\
         pixelate faces,black out,black bar,anonymous,anonymise,unrecognizable,unrecognisable,make unreadable,unreadable,\
         blurred plates,blur plates,mosaic over,smudge the,smudge out,gaussian,lens blur,shallow focus,hide the face,\
         hide faces,hide the faces,hide the plate,hide the license plate,cover the license plate,cover the plate,cover faces,\
         background fuzzy,background softer,fuzzy background,soft background,background hazy,pixelated plates,pixelated faces,\
         unsharp background,background unsharp,blurred behind,out of focus background,blur behind",
    ),
    (
        Refused(R::Resolution),
        "enlarge image,enlarge photo,enlarge picture,larger file,bigger file,px,upscale,upscaling,4k,8k,resolution,\
         higher resolution,super resolution,hd,high definition,ultra hd,dpi,high res,hi res,megapixels,upsample,\
         bigger resolution,more resolution,more pixels,more megapixels,higher quality resolution,hires,hi rez,full hd,uhd,2k,\
         5k,6k,12k,300 dpi,300dpi,double the size of the file,double size,2x,4x,print size,poster size,large print,\
         billboard size,super res,superresolution,enhance resolution,ai upscale,upres,up res,image bigger,photo bigger,\
         picture bigger,photo larger,image larger,picture larger,bigger image,bigger photo,bigger picture,larger photo,\
         larger image,larger picture,increase image size,increase the size of the image,enlarged,enlarge it",
    ),
    (
        Refused(R::Part),
        "sea bluer,ocean bluer,lake bluer,water bluer,pool bluer,bluer sea,bluer water,bluer pool,only the sofa,just the sofa",
    ),
    (
        Refused(R::Lens),
        "lens distortion,barrel distortion,distortion,lens correction,chromatic aberration,fisheye,fish eye,fringing,\
         purple fringing,lens profile,pincushion,distorted,wide angle distortion,warping,warped,gopro look,lens warp,warp,\
         curved walls,curvature,bowing,bowed,bulging,bulge,barrel,barreling,wide angle look,wide angle effect,wide lens,\
         color fringes,color fringing,purple edges,green fringes,purple fringes,stretched corners,stretched edges,stretched,\
         curved lines,fish eye effect,fisheye effect,fisheye look,lens vignetting,lens errors,fix ca,remove ca,correct ca,\
         ca removal,ca correction,lens flaws,\
         lens profile correction,undistort,dewarp,defish,bends the walls,bends walls,bends the lines,walls curve,walls bend,\
         walls are curved,lines are curved,bulges,curves the walls,walls bulge,bent by the lens,lens bends",
    ),
    (
        Refused(R::Season),
        "like summer,summer scene,spring scene,like spring,like winter,winter,autumn,snowy,christmas,autumnal,autumn leaves,\
         fall colors,fall foliage,into summer,into spring,into winter,into autumn,into fall,to summer,to spring,to winter,\
         to autumn,to fall,in summer,in winter,in spring,in autumn,summer instead,wintery,snow covered,snow on roof,\
         snow on the roof,snow on the trees,cover in snow,covered in snow,spring blossom,blossoming,blooming,in bloom,\
         halloween,easter,xmas,summer photo,spring photo,winter photo,winter wonderland,season,seasons,springtime,summertime,\
         wintertime,make summer,make winter,make spring,make autumn,make fall,summer please,winter please,spring please,\
         autumn please,turn into summer,summer version,winter version,spring version,autumn version,snow on ground,some snow,\
         snow please,put snow,add snow,more snow,let it snow,cherry blossoms",
    ),
    (Stain, "stain,stains,marks,dirty,smudge,smudges,dirt,grime,spill,spills,stained"),
    (
        Region,
        "left half,right half,top half,bottom half,lower half,upper half,left side,right side,top part,bottom part,left part,\
         right part,one half,other half,one side,other side,left bit,right bit,left corner,right corner,half of,\
         half the picture,half the photo,half the room",
    ),
];
