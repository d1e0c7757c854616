//! English.

use crate::prompt::item::Item::{self, *};
use crate::prompt::item::Verb as Do;
use crate::prompt::request::Property as P;
use crate::prompt::request::Refusal as R;

pub(super) const WORDS: &[(Item, &str)] = &[
    // Changes.
    (
        Change(&[(P::Exposure, 1.0)]),
        "brighten,brighter,brighten up,lighten,lighter,lighten up,light up,let in more light,let in more natural light,\
         let more light in,let more natural light in,illuminate,sunlit,well lit,expose up,brightening,lightening,\
         flood with light,sunnier room,high key,light filled,sun drenched,sun filled,exposure up,brightness up,exposed up,\
         improve brightness,improving brightness,enhance brightness,better brightness,too darker,less darker",
    ),
    (
        Change(&[(P::Exposure, -1.0)]),
        "low key,darken,darker,dim down,dimmer,darkening,expose down,too brighter,less brighter,exposure down,brightness down",
    ),
    (
        Change(&[(P::Warmth, 1.0)]),
        "warmer,warm up,golden hour,golden light,golden glow,cozier,cosier,warm glow,glow,warmer glow,too cooler,less cooler,\
         warmth up,temperature up",
    ),
    (
        Change(&[(P::Warmth, -1.0)]),
        "cooler,cool down,cool off,colder,cool up,bluer,too warmer,less warmer,temperature down",
    ),
    (
        Change(&[(P::Contrast, 1.0)]),
        "clearer,dehaze,deeper blacks,darker blacks,richer blacks,deepen blacks,more definition,more depth,contrastier,\
         contrast up,clarity up,tonal depth,tonal range,tonality,blacks down,lower blacks,lower the blacks",
    ),
    (
        Change(&[(P::Color, 1.0)]),
        "liven,liven up,enliven,spice up,richer,bolder,more lively,livelier,life,more life,more vivid,saturation up,\
         vibrance up,colors up",
    ),
    (Change(&[(P::Color, -1.0)]), "desaturate,muted,mute,duller"),
    (Change(&[(P::Sharpness, 1.0)]), "sharpen,sharper,crisper,crispier,crispen,sharpness up"),
    (Change(&[(P::Noise, 1.0)]), "denoise,noise reduction,denoising,noise removal"),
    (Change(&[(P::Exposure, -1.0), (P::Contrast, 1.0)]), "moodier"),
    (Change(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]), "airier"),
    (Quality(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]), "light and airy,bright and airy,airy,breezy"),
    (Quality(&[(P::Exposure, -1.0), (P::Contrast, 1.0)]), "moody,dark and moody"),
    (
        Change(&[(P::Shadows, 1.0), (P::Highlights, 1.0)]),
        "tone mapping,tone map,tone mapped,tonemapping,hdr,high dynamic range,dynamic range,hdr look,hdr effect",
    ),
    (
        Change(&[(P::Shadows, 1.0)]),
        "blacks up,lift blacks,raise blacks,shadows up,in shade,in the shade,in shadow,shaded,too shady,shady,\
         open up the shadows,fill light,fill in the shadows,brighten dark areas,backlit,backlight,back lit,shadow recovery,\
         shadow lift",
    ),
    (
        Change(&[(P::Contrast, 1.0), (P::Shadows, -1.0)]),
        "deepen shadows,darken shadows,deeper shadows,more shadows,stronger shadows",
    ),
    (
        Change(&[(P::Highlights, 1.0)]),
        "highlight recovery,whites down,lower whites,lower the whites,reduce whites,bring whites down",
    ),
    (
        Change(&[(P::WhiteBalance, 1.0)]),
        "color correct,color correction,neutralize,neutralise,color corrected,correct color,awb",
    ),
    // Qualities.
    (Quality(&[(P::Exposure, 1.0)]), "bright,luminous,radiant,bright and sunny"),
    (Quality(&[(P::Warmth, 1.0)]), "warm,cozy,cosy,inviting,homey,homely,welcoming,golden,toasty,snug"),
    (Quality(&[(P::Warmth, -1.0)]), "cool"),
    (Quality(&[(P::Contrast, 1.0)]), "contrasty,dramatic,punchier contrast,defined"),
    (Quality(&[(P::Color, 1.0)]), "vivid,vibrant,colorful,colourful,saturated,rich,lively,bold"),
    (
        Quality(&[(P::Sharpness, 1.0)]),
        "crisp,sharp,in focus,tack sharp,detailed,razor sharp,crystal clear,crisp and clear",
    ),
    (Quality(&[(P::Sharpness, -1.0)]), "dreamy"),
    (Quality(&[(P::WhiteBalance, 1.0)]), "white,whites,whiter,neutral,whiten,white whites,pure white"),
    (Quality(&[(P::Contrast, 1.0), (P::Color, 1.0)]), "punchy,punchier,impactful,eye catching,striking"),
    (Quality(&[(P::Upright, 1.0)]), "square up,square everything up,straight,level,upright,plumb,leveled,levelled"),
    (
        Quality(&[(P::Natural, 1.0)]),
        "cleaner,fresher,prettier,neater,smarter,more professional,natural,realistic,true to life,lifelike,authentic,\
         professional,professionally,pro,mls ready,mls compliant,listing ready,market ready,magazine,magazine quality,\
         high quality,high end,best quality,better,best,nicer,nice,beautiful,attractive,appealing,polished,great,good,\
         perfect,amazing,stunning,fresh,clean,quality,improvement,auto enhance,auto,do your magic,do your thing,\
         work your magic,use your best judgment,use your best judgement,true colors,true color,natural colors,natural light,\
         accurate colors,realistic colors,accurate,balanced,photorealistic,luxury,luxurious,elegant,premium,gorgeous,organic,\
         modern,true,real,editorial,retouch,subtle enhancement,touch up,presentation,honest,truthful,curb appeal,kerb appeal",
    ),
    // Faults.
    (
        Fault(&[(P::Exposure, 1.0)]),
        "dark,dim,gloomy,underexposed,under exposed,murky,low light,badly lit,poorly lit,poor lighting,bad lighting,dingy,\
         shadowy,underlit,lacks light,lacking light,dimly lit,dreary,cave like,grim,bleak,depressing",
    ),
    (Fault(&[(P::Exposure, -1.0)]), "overexposed,over exposed,over bright,overbright,glaring,blinding,overlit"),
    (
        Fault(&[(P::Warmth, -1.0)]),
        "yellow,yellowish,orange,amber,yellow cast,orange cast,yellow tint,yellowed,tungsten,warm cast,yellows",
    ),
    (Fault(&[(P::Warmth, 1.0)]), "cold,blue,bluish,sterile,clinical,icy,chilly,frosty,blue cast,blue tint,blues"),
    (
        Fault(&[(P::WhiteBalance, 1.0)]),
        "colors off,colours off,color off,colors are off,colours are off,color cast,color casts,cast,tint,tinge,green tint,\
         green cast,greenish,green,magenta,pinkish,pink,purple,purplish,reddish,off color,discolored,mixed lighting,\
         mixed light,tinted,hue shift",
    ),
    (
        Fault(&[(P::Contrast, 1.0), (P::Color, 1.0)]),
        "flat,dull,lifeless,bland,drab,faded,lackluster,muddy,boring,washed out,washed,pale,dead,lacks punch,lacks pop,blah",
    ),
    (Fault(&[(P::Contrast, 1.0)]), "hazy,haze,foggy,fog,misty,mist,smoggy,milky,lacks contrast,low contrast"),
    (Fault(&[(P::Contrast, -1.0)]), "harsh,contrast heavy,harshness,high contrast look,crunchy"),
    (Fault(&[(P::Color, -1.0)]), "oversaturated,over saturated,garish,gaudy,oversaturation,neon,cartoonish"),
    (
        Fault(&[(P::Sharpness, 1.0)]),
        "is soft,looks soft,look soft,bit soft,slightly soft,little soft,too soft,not sharp,unfocused,blurry,out of focus,\
         fuzzy,unsharp,blurriness,soft focus,mushy,smeary,its soft,image soft,photo soft,picture soft,photos soft,pictures soft",
    ),
    (Fault(&[(P::Noise, 1.0), (P::Sharpness, 1.0)]), "grainy and soft,soft and grainy"),
    (Fault(&[(P::Exposure, 1.0), (P::Sharpness, 1.0)]), "dark and soft,soft and dark"),
    (Fault(&[(P::Sharpness, -1.0)]), "oversharpened,over sharpened,oversharp"),
    (
        Fault(&[(P::Noise, 1.0)]),
        "noise,noisy,grain,grainy,graininess,speckled,speckles,iso noise,color noise,iso,high iso,compression artifacts,\
         jpeg artifacts,compression artefacts,jpeg artefacts,artefacts",
    ),
    (
        Fault(&[(P::Upright, 1.0)]),
        "slope,slopes,sloped,crooked,tilted,tilt,slanted,slant,leaning,lean,skewed,wonky,askew,slanting,keystone,keystoning,\
         converging,off level,uneven,off kilter,lopsided,unlevel,sloping,perspective distortion,falling backwards,\
         falling back,falling over,falling forward,falling forwards,toppling,toppling over,bending over,tipping over",
    ),
    (Fault(&[(P::Shadows, 1.0)]), "crush,crushed,crushing,crushed blacks,blocked up"),
    (
        Fault(&[(P::Highlights, 1.0)]),
        "glare,blown out,blown,hot spots,hotspots,hot spot,clipped,clip,clipping,blowing out,blow out,bright spots,burned out,\
         flash,camera flash,flash glare,sun glare,sun patch,sun patches,sun spots",
    ),
    // Properties.
    (Property(P::Exposure), "midtones,mids,mid tones,exposure,brightness,luminosity,exposures,lightness,gamma"),
    (Property(P::Warmth), "warmth,color temperature,temperature,temp"),
    (Property(P::Contrast), "contrast,clarity,structure"),
    (Property(P::Color), "saturation,vibrance,vibrancy,color,colors,colour,colours,hues,tones,coloring"),
    (Property(P::Sharpness), "sharpness,detail,details,focus,texture,textures,edges"),
    (
        Property(P::Shadows),
        "shadows,shadow,dark areas,dark area,dark corners,dark corner,dark spots,dark parts,shadow detail,shadow areas,\
         shaded areas,darker areas,dark regions,detail in shadows,details in shadows,shadow side,darkest areas,darkest parts",
    ),
    (
        Property(P::Highlights),
        "highlights,highlight,bright areas,blown highlights,highlight detail,detail in highlights,details in highlights,\
         bright parts,brightest areas,overexposed areas,blown out areas,blown areas",
    ),
    (
        Property(P::WhiteBalance),
        "white balance,auto white balance,wb,color balance,white point,color cast correction,whitebalance",
    ),
    (
        Property(P::Upright),
        "vertical,verticals,vertical lines,horizon,horizons,perspective,geometry,lines,horizontal lines,horizontals,\
         square up,straight verticals,straight lines,alignment",
    ),
    (
        Property(P::Windows),
        "see the garden,see the view,see outside,see the outside,windows,window,view,views,outside view,view outside,\
         window views,window view,views outside,pull the windows,window masking,window exposure,window light,\
         window highlights,see out,sea view,ocean view,lake view,mountain view,garden view,view of sea,view of lake",
    ),
    (
        Property(P::Sky),
        "sunnier,clouds,cloud,remove clouds,fewer clouds,sky,skies,blue sky,blue sky with clouds,sky with clouds,\
         sky with few clouds,blue sky with few clouds,sky with some clouds,blue sky with some clouds,sky with fluffy clouds,\
         sky with white clouds,blue sky with white clouds,blue sky with light clouds,clear sky,sunny day,sunny,sunny weather,\
         nice weather,good weather,sunshine day,new sky,better sky,sunny look,bluebird day,sky replacements,replace sky,\
         cloudless",
    ),
    (
        Property(P::Dusk),
        "dusk,twilight,sunset,sundown,evening,blue hour,nightfall,sunset sky,dusk sky,evening shot,sun setting,setting sun,\
         after sunset,early evening,crepuscular",
    ),
    (
        Property(P::Lawn),
        "greener,lawn,lawns,grass,turf,green lawn,green grass,greener grass,greener lawn,lawn greening,grass green,\
         landscaping lush green,lush green landscaping,green landscaping,lush landscaping,landscaping green",
    ),
    (Property(P::Indoors), "indoors,indoor,interior,inside,interiors,interior photo,interior shot"),
    (Property(P::Outdoors), "outdoors,outdoor,exterior,outside,exteriors,exterior shot,exterior photo"),
    (
        Task(P::Upright),
        "straighten,straightening,perspective correction,keystone correction,upright correction,align,vertical correction,\
         straighten verticals",
    ),
    (Task(P::Sky), "sky replacement,sky swap,sky replacements,replace sky,swap sky"),
    (Task(P::Windows), "window pull,window pulls,pull windows,pull the windows,show the view"),
    (Task(P::Dusk), "day to dusk,day to twilight,virtual dusk,virtual twilight,dusk conversion,twilight conversion"),
    (Task(P::Lawn), "grass greening,lawn enhancement,lawn greening,green up lawn,green up grass"),
    (Hue, "red,black,beige,navy,turquoise,brown,dark blue,charcoal,olive,cream,ivory,teal"),
    (Away, "out,away,off,gone"),
    (Light, "light,lighting,daylight,sunlight,ambient light,lights level,illumination"),
    // Verbs.
    (
        Verb(Do::Increase),
        "increase,boost,raise,turn up,bring up,pump up,bump up,bump,push,strengthen,intensify,lift,open up,crank up,up the,\
         amp up,step up,heighten,amplify,bring out,increased,stronger,higher,emphasize,accentuate,dial up,deepen,kick up,\
         maximize,open",
    ),
    (
        Verb(Do::Decrease),
        "reduce,decrease,lower,tone down,turn down,bring down,pull down,dial down,dial back,take down,tame,minimize,minimise,\
         cut down,pull back,drop,weaken,subdue,back off,cut,toned down,limit,reducing,decreased,ease off,ease back,calm down,\
         diminish",
    ),
    (Verb(Do::Soften), "soften,softer,softening,softly lit,soft,softly"),
    (
        Verb(Do::Enhance),
        "enhance,improve,improved,enhanced,upgrade,enhancing,optimize,optimise,beautify,refine,perk up,spruce up,freshen up,\
         enhancement",
    ),
    (
        Verb(Do::Pop),
        "pop,punch,punch up,make it pop,pops,stand out,wow,zing,oomph,pizzazz,sparkle,wow factor,zest,kick,spark,bite,edge to it",
    ),
    (
        Verb(Do::Correct),
        "fix,correct,corrected,correction,repair,straighten out,rectify,sort out,solve,resolve,proper,properly,set right,\
         correcting",
    ),
    (
        Verb(Do::Recover),
        "recover,restore,rescue,bring back,save,protect,retrieve,pull,recovering,show,reveal,make visible,visible,salvage",
    ),
    (Verb(Do::Balance), "match,balance,even out,even,equalize,equalise,balancing,blend,uniform,more even"),
    (
        Verb(Do::Remove),
        "paint out,brush out,take,remove,erase,delete,get rid of,take out,take away,photoshop out,edit out,clone out,\
         clear out,eliminate,undo,revert,cut out,clear off,removed,removal,removing,take off,strip out,retouch out,dispose of,\
         wipe out,rid of,crop out,lose the,clear away,photoshop away,edit away,airbrush out",
    ),
    (
        Verb(Do::Hide),
        "hide,cover up,cover,conceal,disappear,mask,camouflage,disguise,vanish,make invisible,invisible,hidden",
    ),
    (
        Verb(Do::Add),
        "use,using,add,put,insert,place,include,introduce,adding,put in,drop in,overlay,photoshop in,superimpose,added,invent,\
         generate,create,hallucinate,fabricate",
    ),
    (
        Verb(Do::Replace),
        "replace,swap,switch,exchange,substitute,convert,transform,turn into,turn,swap out,change out,replacement,conversion,\
         replacing,exchanging",
    ),
    (
        Verb(Do::Touch),
        "change,touch,alter,edit,modify,adjust,mess with,process,altering,changing,tweak,adjusting,alteration,tamper,\
         play with,adjustment,move,moving,rearrange,reposition",
    ),
    (
        Verb(Do::Keep),
        "keep,preserve,leave,maintain,retain,leave alone,as is,unchanged,untouched,as they are,as it is,respect,original,\
         keeping,preserving,stay,stays,remain,remains,intact,same,identical,exactly as",
    ),
    (
        Verb(Do::Stretch),
        "ceiling higher,ceiling look higher,bigger,larger,spacious,more spacious,wider,widen,roomier,open up space,\
         open up room,higher ceiling,taller,expansive,wide angle,enlarge,stretch,more space,more room,feel bigger,\
         look bigger,look larger,more open,increase the space,oversized,huge,expand,deeper room,longer",
    ),
    // Things.
    (
        Thing,
        "greenery,foliage,potted plants,potted plant,socket,sockets,radiators,neighbours,neighbors,neighbour,board,\
         washing line,clothesline,wheelie bins,wheelie bin,recycling,skip bin,pylons,pylon,car,cars,vehicle,vehicles,truck,\
         van,person,people,man,woman,guy,girl,boy,child,children,kid,kids,pedestrian,pedestrians,dog,cat,pet,pets,bird,animal,\
         animals,debris,dust,lens dust,dust spots,sensor dust,sensor spots,trash,trash can,trash cans,garbage,garbage can,\
         garbage cans,rubbish,bin,bins,trash bin,trash bins,dumpster,hose,garden hose,ladder,bike,bikes,bicycle,toys,toy,cord,\
         cords,cable,cables,wire,wires,electric wires,power line,power lines,powerline,powerlines,power cord,telephone pole,\
         utility pole,pole,poles,sign,signs,for sale sign,yard sign,stuff,items,objects,object,item,junk,clutter,mess,\
         furniture,sofa,couch,chair,chairs,armchair,bed,table,tables,desk,dresser,tv,tvs,television,screen,fridge,\
         fridge magnets,magnets,personal photos,family photos,photos on wall,pictures on wall,personal items,\
         personal belongings,belongings,reflection,reflections,photographer,tripod,watermark,watermarks,logo,logos,text,\
         date stamp,datestamp,timestamp,time stamp,snow,leaves,fallen leaves,toilet seat,boxes,box,bags,bag,dishes,laundry,\
         clothes,towel,towels,shoes,weeds,weed,tree,trees,bush,bushes,plant,plants,flower,flowers,vase,fence,neighbor,\
         neighbors house,pool,swimming pool,hot tub,background,tarp,construction,scaffolding,air conditioner,ac unit,\
         satellite dish,antenna,graffiti,license plate,license plates,number plate,curtain,curtains,blinds,rug,mirror,\
         distractions,distraction,distracting objects,smoke detector,rainbow,lens flare,sun,sun rays,grill,trampoline,\
         swing set,playground,water,decor,decoration,decorations,artwork,painting on wall,wall art,pillow,pillows,bedding,\
         blanket,toilet,toiletries,soap,bottles,papers,books,jumper,fan,heater,radiator,outlet,outlets,switches,crane,bench,\
         umbrella,deck chairs,patio furniture,barbecue,boat,rv,trailer,caravan,motorcycle,mailbox,street light,street lights,\
         lamp post,traffic cone,cones,puddle,puddles,oil stain on driveway,dirt,leaf,branch,branches,shadow of photographer,\
         my shadow,photographers shadow,hand,finger,face,faces,left half,right half,top half,bottom half,lower half,\
         upper half,telly",
    ),
    (
        Surface,
        "worktop,worktops,wall,walls,ceiling,ceilings,floor,floors,flooring,cabinet,cabinets,countertop,countertops,counter,\
         counters,trim,door,doors,door frame,door frames,facade,siding,roof,brick,bricks,wood,tile,tiles,backsplash,carpet,\
         hardwood,driveway,deck,patio,island,vanity,stairs,staircase,marble,granite,paint color,foreground,landscaping,\
         landscape,corner,corners,woodwork,moldings,hallway walls,structure of building,architecture,layout,composition,\
         framing,fixtures,materials,finishes,doors and windows,window frames,proportions,architectural details,\
         architectural detail,architectural features,structural details,building details,details of the building",
    ),
    (
        Damage,
        "crack,cracks,hole,holes,damage,damaged,stain,stains,water stain,water stains,water damage,peeling paint,peeling,\
         mold,mould,dent,dents,scratch,scratches,scuff,scuffs,scuff marks,rust,rot,imperfection,imperfections,flaws,flaw,\
         defects,defect,blemish,blemishes,chipped,broken,wear,worn,wear and tear,marks,spots on wall,dirty,leak,leaks,\
         nail holes,patch in wall",
    ),
    // Refused.
    (
        Refused(R::Remove),
        "clear worktop,clear the worktop,clear kitchen,clear the kitchen,clear sink,clear the desk,clear the floor,declutter,\
         decluttering,decluttered,clean up,cleanup,tidy up,tidy,clear the counter,clear counters,clear the table,empty room,\
         empty the room,empty,vacant,depersonalize,depersonalise,clean off,unfurnished,object removal,item removal,\
         clear the room,clear surfaces,cleared,de clutter,de cluttered,de cluttering",
    ),
    (
        Refused(R::Add),
        "virtual furniture,stage,staging,virtual staging,virtually stage,furnish,furnished,staged,decorate,restage,populate",
    ),
    (
        Refused(R::Lights),
        "illuminate windows,illuminate all windows,light up windows,light the windows,lights should be on,lights be on,\
         lights to be on,turn on lights,lights on,light on,switch on lights,switch lamps on,switch lights on,turn lamps on,\
         turn on lamps,lamps on,windows glow,glowing,glow from inside,glow from within,glow in windows,glow through windows,\
         window glow,interior lights,light the fireplace,light the fire,fire in fireplace,fire in the fireplace,lit fireplace,\
         turn on,fireplace,switch on,lit windows,glow from windows,lit from within,porch light on,fire to fireplace,\
         landscape lighting,turn lights on,warm lights in windows,lights in windows,fire,lamps glow,lights glow,lamp glow,\
         glow in lamps,turn tv on,turn telly on,tv on,turn the tv on",
    ),
    (
        Refused(R::Alter),
        "clean driveway,clean the driveway,clean pool,clean windows,clean the walls,clean floor,clean carpet,clean roof,\
         pressure wash,mow,mow the lawn,trim the hedge,paint,repaint,renovate,remodel,wall color,recolor,recolour,new kitchen,\
         new floors,new flooring,new countertops,new kitchen countertops,new paint,redesign,restyle,redecorate,refinish,\
         reface,color of walls,color of the walls,renovation,fresh coat of paint,replace furniture,make bed,make the bed,\
         made bed,open curtains,open blinds,open the curtains,open the blinds,close toilet lid,close the toilet lid,\
         close the toilet seat,cabinets white,cabinet white,doors white,door white,floor white,sofa white",
    ),
    (
        Refused(R::TimeOfDay),
        "like summer,summer scene,spring scene,like spring,like winter,night,nighttime,night shot,night time,at night,\
         night sky,starry,starry sky,stars,sunrise,dawn,winter,autumn,rain,rainy,stormy,storm clouds,dramatic sky,\
         dramatic clouds,northern lights,moon,moonlight,midnight,moody sky,snowy,christmas",
    ),
    (
        Refused(R::Style),
        "black and white,monochrome,sepia,vintage,retro,film look,film,painting,cartoon,sketch,watercolor,watercolour,\
         cinematic,anime,vignette,vignetting,filter,film grain,add grain,teal and orange,grayscale,greyscale,oil painting,\
         instagram,polaroid,lut,artistic,art,cinematic look,color grade,color grading,matte,pencil,3d,3d render,rendering,\
         like a render,like render,light leaks,double exposure",
    ),
    (
        Refused(R::Frame),
        "cut off,cut left,cut right,cut top,cut bottom,trim,landscape instead,portrait instead,picture landscape,\
         picture portrait,vertical format,horizontal format,crop,cropping,rotate,flip,mirror image,mirror it,resize,\
         aspect ratio,zoom,zoom in,zoom out,landscape format,portrait format,landscape orientation,portrait orientation,\
         extend,uncrop,reframe,square format,square crop,widescreen,recrop,outpaint,center,recenter,pixels,dimensions,\
         tighter,crop in,file size,compress,thumbnail,3:2,2:3,4:3,3:4,16:9,9:16,1:1,5:4,4:5,16:10",
    ),
    (
        Refused(R::Blur),
        "background blurry,background blurred,background out of focus,background soft,blur,blur out,bokeh,pixelate,\
         depth of field,blurred background,blurry background,portrait mode,tilt shift,anonymize,censor",
    ),
    (
        Refused(R::Resolution),
        "enlarge image,enlarge photo,enlarge picture,larger file,bigger file,px,upscale,upscaling,4k,8k,resolution,\
         higher resolution,super resolution,hd,high definition,ultra hd,dpi,high res,hi res,megapixels,upsample",
    ),
    (Refused(R::Part), "sea bluer,ocean bluer,lake bluer,water bluer,pool bluer,bluer sea,bluer water,bluer pool"),
    (
        Refused(R::Lens),
        "lens distortion,barrel distortion,distortion,lens correction,chromatic aberration,fisheye,fish eye,fringing,\
         purple fringing,lens profile,pincushion,distorted,wide angle distortion,warping,warped",
    ),
];
