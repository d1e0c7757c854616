//! English words for what is changed, and how.

use crate::photo::item::Item::{self, *};
use crate::photo::item::Verb as Do;
use crate::photo::request::Property as P;

pub(super) const WORDS: &[(Item, &str)] = &[
    // Changes.
    (
        Change(&[(P::Exposure, 1.0)]),
        "brighten,brighter,brighten up,lighten,lighter,lighten up,light up,let in more light,let in more natural light,\
         let more light in,let more natural light in,illuminate,sunlit,well lit,expose up,brightening,lightening,\
         flood with light,sunnier room,high key,light filled,sun drenched,sun filled,exposure up,brightness up,exposed up,\
         improve brightness,improving brightness,enhance brightness,better brightness,too darker,less darker,\
         brighter and lighter,more light,more brightness,needs light,turn the light up,pump up the light,brighten everything,\
         bring light,bring more light,let there be light,expose it more,expose more,push the exposure,lift the exposure,\
         bump up exposure,light it up,turn up the lights,turn lights up,more lights,lights up,turn the lights up,\
         crank the light",
    ),
    (
        Change(&[(P::Exposure, -1.0)]),
        "low key,darken,darker,dim down,dimmer,darkening,expose down,too brighter,less brighter,exposure down,brightness down,\
         less light,tone the brightness down,bring down the exposure,less exposure,expose less,pull the exposure down,dim it",
    ),
    (
        Change(&[(P::Warmth, 1.0)]),
        "warmer,warm up,golden hour,golden light,golden glow,cozier,cosier,warm glow,glow,warmer glow,too cooler,less cooler,\
         warmth up,temperature up,add warmth,toastier,more golden,more sunlight feel,hotter",
    ),
    (
        Change(&[(P::Warmth, -1.0)]),
        "cooler,cool down,cool off,colder,cool up,bluer,too warmer,less warmer,temperature down,chillier,icier,cool the tones,\
         cool it",
    ),
    (
        Change(&[(P::Contrast, 1.0)]),
        "clearer,dehaze,more definition,more depth,contrastier,contrast up,clarity up,tonal depth,tonal range,tonality,\
         cut through,cut through the haze,stronger contrast,crank contrast,more depth to it",
    ),
    (
        Change(&[(P::Color, 1.0)]),
        "liven,liven up,enliven,spice up,richer,bolder,more lively,livelier,life,more life,more vivid,saturation up,\
         vibrance up,colors up,more saturated,more colorful,brighter colors,stronger colors,deeper colors,juicier,come alive,\
         bring to life,bring back to life,more saturation,brighten the colors,intensify colors,pump the colors,colors pop,\
         colors more intense,more intense colors,fuller colors,perk up colors,wake up,wake up the colors,wake the colors",
    ),
    (
        Change(&[(P::Color, -1.0)]),
        "desaturate,muted,mute,duller,less saturated,less vivid,less colorful,less color,tone colors down,colors down,\
         saturation down,calmer colors,softer colors,more muted,more subdued,subdued colors,quieter colors,paler,less intense,\
         less intense colors,less vibrant,less punchy",
    ),
    (
        Change(&[(P::Sharpness, 1.0)]),
        "sharpen,sharper,crisper,crispier,crispen,sharpness up,sharpening,more sharpness,more crisp,crisper details,\
         more detail,better definition,more detailed,sharpen up",
    ),
    (
        Change(&[(P::Noise, 1.0)]),
        "denoise,noise reduction,denoising,noise removal,clean up the noise,degrain,de noise,smooth out the grain,\
         smooth the noise,less grain,less noise,less grainy,less noisy",
    ),
    (Change(&[(P::Exposure, -1.0), (P::Contrast, 1.0)]), "moodier,more moody,more brooding"),
    (Change(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]), "airier"),
    (Quality(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]), "light and airy,bright and airy,airy,breezy"),
    (
        Quality(&[(P::Exposure, -1.0), (P::Contrast, 1.0)]),
        "moody,dark and moody,brooding,sultry,darker mood,dark mood,dramatic mood,atmospheric,gothic",
    ),
    (
        Change(&[(P::Shadows, 1.0), (P::Highlights, 1.0)]),
        "tone mapping,tone map,tone mapped,tonemapping,hdr,high dynamic range,dynamic range,hdr look,hdr effect",
    ),
    (
        Change(&[(P::Shadows, 1.0)]),
        "blacks up,lift blacks,raise blacks,shadows up,in shade,in the shade,shaded,too shady,shady,open up the shadows,\
         fill light,fill in the shadows,brighten dark areas,backlit,backlight,back lit,shadow recovery,shadow lift,\
         shadows lighter,lighter shadows,less shadow,fewer shadows,less shadows,soften shadows,lift the dark areas,\
         raise shadows,shadows lifted,open up the dark,recover shadows,brighten the dark,against the light,silhouette,\
         silhouetted,is in shadow,are in shadow,lies in shadow,in full shadow,in deep shadow",
    ),
    (
        Change(&[(P::Contrast, -1.0)]),
        "low contrast version,low contrast edit,low contrast file,low contrast style,low contrast please,want low contrast,\
         want it low contrast,lower contrast,flat version,flat edit,flat file,flat profile,less contrasty,less contrasted,\
         it low contrast",
    ),
    (
        Change(&[(P::Highlights, 1.0)]),
        "highlight recovery,whites down,lower whites,lower the whites,reduce whites,bring whites down,highlights down,\
         less highlights,lower highlights,highlights back,less glare,tame highlights",
    ),
    (
        Change(&[(P::WhiteBalance, 1.0)]),
        "color correct,color correction,neutralize,neutralise,color corrected,correct color,awb,balance the colors,\
         color balance fix,fix the whites,correct the color,correct the colors,neutral white,neutral whites,neutral tones,\
         neutralise colors",
    ),
    // Qualities.
    (
        Quality(&[(P::Exposure, 1.0)]),
        "bright,luminous,radiant,bright and sunny,brightly lit,nice and bright,well exposed,well illuminated,sun kissed",
    ),
    (
        Quality(&[(P::Warmth, 1.0)]),
        "warm,cozy,cosy,inviting,homey,homely,welcoming,golden,toasty,snug,comfy,comfortable,homelike,hygge,cosy feeling,\
         intimate,cheerful,friendly,at home,feel at home,like home,sunset warm,romantic,snugger,mellow,more homely,warmly lit,\
         candlelit,honey",
    ),
    (Quality(&[(P::Warmth, -1.0)]), "cool"),
    (
        Quality(&[(P::Contrast, 1.0)]),
        "contrasty,dramatic,punchier contrast,defined,contrasted,crisp contrast,drama,more drama",
    ),
    (
        Quality(&[(P::Color, 1.0)]),
        "vivid,vibrant,colorful,colourful,saturated,rich,lively,bold,intense colors,saturated colors,strong colors,juicy,\
         luscious,full of life,full of color,vivacious,lively colors",
    ),
    (
        Quality(&[(P::Sharpness, 1.0)]),
        "crisp,sharp,in focus,tack sharp,detailed,razor sharp,crystal clear,crisp and clear,focused,pin sharp,sharp as a tack,\
         super sharp,crystal,needle sharp",
    ),
    (Quality(&[(P::Sharpness, -1.0)]), "dreamy"),
    (Quality(&[(P::WhiteBalance, 1.0)]), "white,whites,whiter,neutral,whiten,white whites,pure white"),
    (Quality(&[(P::Contrast, 1.0), (P::Color, 1.0)]), "punchy,punchier,impactful,eye catching,striking,poppy"),
    (
        Quality(&[(P::Upright, 1.0)]),
        "square up,square everything up,straight,level,upright,plumb,leveled,levelled,strait,strate,straigt,straigth,in plumb,\
         squared,squared up,at right angles,right angles,parallel,truly vertical,level with",
    ),
    (
        Quality(&[(P::Natural, 1.0)]),
        "cleaner,fresher,prettier,neater,smarter,more professional,natural,realistic,true to life,lifelike,authentic,\
         professional,professionally,pro,mls ready,mls compliant,listing ready,market ready,magazine,magazine quality,\
         high quality,high end,best quality,better,best,nicer,nice,beautiful,attractive,appealing,polished,great,good,perfect,\
         amazing,stunning,fresh,clean,quality,improvement,auto enhance,auto,do your magic,do your thing,work your magic,\
         use your best judgment,use your best judgement,true colors,true color,natural colors,natural light,accurate colors,\
         realistic colors,accurate,balanced,photorealistic,luxury,luxurious,elegant,premium,gorgeous,organic,modern,true,real,\
         editorial,retouch,subtle enhancement,touch up,presentation,honest,truthful,curb appeal,kerb appeal,magazines,\
         presentable,sellable,marketable,showcase,tidy edit,as good as possible,look its best,at its best,best light,\
         look expensive,high class,standard edit,basic edit,usual edit,basic correction,basic corrections,quick fix,\
         make it right,make it shine,shine,wonders,magic,auto fix,autofix,auto correct,believable,credible,neutral look,\
         real life,real life look,true to reality,as in reality,like in reality,as in real life,like in real life,\
         the way it is,as the eye sees,as seen,as the eye sees it,true to the room,faithful,publishable,web ready,print ready,\
         portfolio,zillow ready,airbnb ready,showroom,show home,work its magic,best possible,top notch,decent,respectable,\
         representative,pleasing,lovely,whatever you think,whatever you think is best,what you think is best,\
         whatever looks best,up to you,your call,you decide,as you see fit,surprise me,best judgment,best judgement,\
         whatever works,do what you think,whatever it needs,whatever is needed,what it needs,do whatever,whatever,trust you,\
         i trust you,your choice,usual treatment,standard treatment,the works,full treatment",
    ),
    // Faults.
    (
        Fault(&[(P::Exposure, 1.0)]),
        "dark,gloomy,underexposed,under exposed,murky,low light,badly lit,poorly lit,poor lighting,bad lighting,dingy,shadowy,\
         underlit,lacks light,lacking light,dimly lit,dreary,cave like,grim,bleak,depressing,dim room,too dim,is dim,looks dim,\
         dim and,very dim,bit dim,little dim,quite dim,so dim,pretty dim,cant see a thing,cant see anything,\
         can hardly see a thing,hardly see a thing,hardly see anything,barely see a thing,barely see anything,\
         cannot see anything,cave,like a cave,dungeon,cellar like,pitch black,pitch dark,tunnel,like a dungeon,sombre,somber,\
         gloom,unlit,black hole,darkish,lightless,too black,too little light,not enough light,needs light,starved of light,\
         poor light,bad light,low on light,under lit,lit badly,underexposure,under exposure,basement like,coal cellar,\
         dungeon like,nothing visible,darkened,darkness,dark as night,shadowy and dark,depressingly dark,night shift,dim,\
         has no light,got no light,theres no light,there is no light,with no light,have no light,there isnt any light,\
         hard to see,hard to make out,difficult to see,difficult to make out,tough to see,is black,looks black,all black,\
         completely black,totally black,goes black,is a black hole,cant make anything out,cant make a thing out,\
         cannot make anything out,hardly make anything out",
    ),
    (
        Fault(&[(P::Exposure, -1.0)]),
        "overexposed,over exposed,over bright,overbright,glaring,blinding,overlit,nuked,blindingly bright,too light,\
         way too light,washed with light,over lit,overexposure,over exposure,too shiny,burning bright,burnt,dazzling,dazzles,\
         too white,blinded,snow blind,everything is white,everything looks white,its all white,everything white",
    ),
    (
        Fault(&[(P::Warmth, -1.0)]),
        "yellow,yellowish,orange,amber,yellow cast,orange cast,yellow tint,yellowed,tungsten,warm cast,yellows,yellowy,orangey,\
         orangish,orange tint,orange tinge,yellow tinge,yellow haze,yellow glow,yellow look,orange look,warm tint,jaundiced,\
         mustard,amber tint,amber glow,amber cast,nicotine,custard,tobacco,incandescent,sodium,carrot,golden cast,sepia cast,\
         brownish,too golden,yellow light,orange light",
    ),
    (
        Fault(&[(P::Warmth, 1.0)]),
        "cold,blue,bluish,sterile,clinical,icy,chilly,frosty,blue cast,blue tint,blues,blueish,bluey,blue tinge,blue haze,\
         blue glow,cold cast,cold tint,cold light,cold blue,hospital,hospital like,like a hospital,like a fridge,wintry,arctic,\
         frigid,unfriendly,uninviting,unwelcoming,smurf,icebox,morgue,freezing,like a morgue,dentist,institutional,fluorescent,\
         soulless",
    ),
    (
        Fault(&[(P::WhiteBalance, 1.0)]),
        "colors off,colours off,color off,colors are off,colours are off,color cast,color casts,cast,tint,tinge,green tint,\
         green cast,greenish,green,magenta,pinkish,pink,purple,purplish,reddish,off color,discolored,mixed lighting,\
         mixed light,tinted,hue shift,greeny,blue green,greenish blue,red tint,red cast,red tinge,magenta cast,magenta tint,\
         pink tint,pink cast,pink tinge,purple tint,purple cast,purple tinge,green tinge,green hue,pinky,color tint,\
         weird color,weird colors,strange color,strange colors,wrong color,wrong colors,colors wrong,colors are wrong,\
         colors look wrong,colors look off,colors look weird,colors look strange,colors are weird,violet,lilac,cyan,\
         turquoise tint,salmon,tinting,white balance is off,sickly,seasick green,alien green,off white balance,\
         unnatural color cast,odd color,take the red out,get the red out",
    ),
    (
        Fault(&[(P::Contrast, 1.0), (P::Color, 1.0)]),
        "flat,dull,lifeless,bland,drab,faded,lackluster,muddy,boring,washed out,washed,pale,dead,lacks punch,lacks pop,blah,\
         anemic,anaemic,lame,tired,meh,insipid,dreary and flat,uninspiring,uninspired,grey and flat,gray and flat,lacks oomph,\
         lacks life,has no pop,has no life,lacklustre,monotone,wishy washy,lack of contrast and color,colorless,dullish,\
         flatness,has no punch,has no color,has no depth,got no life,got no punch,got no pop,got no color,got no depth,\
         theres no life,theres no punch,theres no pop,theres no color,theres no depth,there is no life,there is no punch,\
         there is no pop,there is no color,there is no depth,with no life,with no punch,with no pop,with no color,\
         with no depth,have no life,have no punch,have no pop,have no color,have no depth,there isnt any life,\
         there isnt any punch,there isnt any pop,there isnt any color,there isnt any depth,weak,feeble,wan",
    ),
    (
        Fault(&[(P::Contrast, 1.0)]),
        "hazy,haze,foggy,fog,misty,mist,smoggy,milky,lacks contrast,low contrast,hazy look,misty look,low in contrast,\
         not enough contrast,veil,veiled,smog,smoke haze,foggy look,milky look,lack of contrast,washed in haze,fogged,\
         cloudy look,steamy,dusty look,has no contrast,got no contrast,theres no contrast,there is no contrast,\
         with no contrast,have no contrast,there isnt any contrast",
    ),
    (
        Fault(&[(P::Contrast, -1.0)]),
        "harsh,contrast heavy,harshness,high contrast look,too contrasty,hard,hard light,hard contrast,stark,extreme contrast,\
         crazy contrast,contrast is crazy,overly contrasted",
    ),
    (
        Fault(&[(P::Color, -1.0)]),
        "oversaturated,over saturated,garish,gaudy,oversaturation,neon,cartoonish,radioactive,nuclear,toxic,fluorescent colors,\
         clown,lurid,loud,loud colors,screaming,screaming colors,technicolor,acid,acidic,psychedelic,crayon,eye searing,\
         candy colored,disneyland,hyper saturated,supersaturated,super saturated,garish colors,circus,too colorful,\
         burning colors,glow in the dark,kitschy,too vivid",
    ),
    (
        Fault(&[(P::Sharpness, 1.0)]),
        "is soft,looks soft,look soft,bit soft,slightly soft,little soft,too soft,not sharp,unfocused,blurry,out of focus,\
         fuzzy,unsharp,blurriness,soft focus,mushy,smeary,its soft,image soft,photo soft,picture soft,photos soft,\
         pictures soft,blurred,bit blurry,not in focus,shaky photo,camera shake,motion blur,smudgy,smudged,blurring,\
         lacks detail,lacks sharpness,not crisp,soft looking,soft image,soft picture,soft photo,vaseline,mush,mushed,unclear,\
         lacks focus,lacks definition,missed focus,focus missed,focus is off,not focused,is shaky,looks shaky,came out shaky,\
         photo shaky,bit shaky,shaky picture,shaky hands,blurry mess",
    ),
    (Fault(&[(P::Noise, 1.0), (P::Sharpness, 1.0)]), "grainy and soft,soft and grainy"),
    (Fault(&[(P::Exposure, 1.0), (P::Sharpness, 1.0)]), "dark and soft,soft and dark"),
    (
        Fault(&[(P::Sharpness, -1.0)]),
        "oversharpened,over sharpened,oversharp,crunchy,crispy,overly crisp,over crisp,overly sharp,too crisp,too sharp,\
         too crunchy,sharpening halos,edgy,jagged",
    ),
    (
        Fault(&[(P::Noise, 1.0)]),
        "noise,noisy,grain,grainy,graininess,speckled,speckles,iso noise,color noise,iso,high iso,compression artifacts,\
         jpeg artifacts,compression artefacts,jpeg artefacts,artefacts,pixely,pixelly,pixelated look,sandy,sandpaper,gritty,\
         grit,speckly,noize,noisey,snowy noise,static noise,color speckles,colour speckles,colored dots,colored specks,grained,\
         digital noise,luminance noise,chroma noise,iso too high,blotchy,jpeg mush,looks pixelated,is pixelated,bit pixelated,\
         pixelated and grainy,so pixelated",
    ),
    (
        Fault(&[(P::Upright, 1.0)]),
        "slope,slopes,sloped,crooked,tilted,tilt,slanted,slant,leaning,lean,skewed,wonky,askew,slanting,keystone,keystoning,\
         converging,off level,uneven,off kilter,lopsided,unlevel,sloping,perspective distortion,falling backwards,falling back,\
         falling over,falling forward,falling forwards,toppling,toppling over,bending over,tipping over,tower of pisa,pisa,\
         tilting,tilts,tips,tipping,topples,leans,leaning backwards,leaning back,leaning in,leaning inwards,crookedly,\
         not straight,not level,not vertical,not plumb,skew,skewy,squint,squinty,off axis,skew whiff,skewiff,diagonal,slanty,\
         wonkiness,tilt to it,keystoned,converge,bent,bendy,bowed verticals,caving in,falling in,drunk,drunken,\
         held the phone crooked,cockeyed,out of plumb,sideways lean,inclined,inclination,on a slope",
    ),
    (Fault(&[(P::Shadows, 1.0)]), "crush,crushed,crushing,crushed blacks,blocked up"),
    (
        Fault(&[(P::Highlights, 1.0)]),
        "glare,blown out,blown,hot spots,hotspots,hot spot,clipped,clip,clipping,blowing out,blow out,bright spots,burned out,\
         flash,camera flash,flash glare,sun glare,sun patch,sun patches,sun spots,blowing,overblown,blown highlights,\
         blown whites,white out,whiteout,whited out,washed out highlights,burnt out,burned,burnt highlights,highlight clipping,\
         shiny spots,shiny spot,glaring spots,hot areas,sunspots,sun spot,too hot,reflection glare,lost in white,\
         pure white patches,flash reflection,burning out,burns out,burn out,bleached out,blows out,burning to white,\
         turning white",
    ),
    // Properties.
    (
        Property(P::Exposure),
        "midtones,mids,mid tones,exposure,brightness,luminosity,exposures,lightness,gamma,amount of light,brightness level,\
         light level,light levels,expo",
    ),
    (Property(P::Warmth), "warmth,color temperature,temperature,temp,kelvin,color temp"),
    (Property(P::Contrast), "contrast,clarity,structure"),
    (
        Property(P::Color),
        "saturation,vibrance,vibrancy,color,colors,colour,colours,hues,tones,coloring,color intensity,color saturation,palette,\
         color tones,sat,sats",
    ),
    (
        Property(P::Sharpness),
        "sharpness,detail,details,focus,texture,textures,edges,sharpening level,definition,grain of the wood",
    ),
    (
        Property(P::Shadows),
        "shadows,shadow,dark areas,dark area,dark corners,dark corner,dark spots,dark parts,shadow detail,shadow areas,\
         shaded areas,darker areas,dark regions,detail in shadows,details in shadows,shadow side,darkest areas,darkest parts,\
         dark bits,dark bit,dark side,dark half,dark edges,darks,dark tones,dark patches,dark patch,dark zones,dark zone,\
         darker bits,darker parts,dark part,shadowed areas,shadowy areas,shadowy corners,shady areas,shady corners,dark places,\
         dark sections,darker corners,blacks,darker spots,corners dark,corners are dark,corners are black,corner is dark,lows,\
         shads",
    ),
    (
        Property(P::Highlights),
        "highlights,highlight,bright areas,blown highlights,highlight detail,detail in highlights,details in highlights,\
         bright parts,brightest areas,overexposed areas,blown out areas,blown areas,lights and whites,bright bits,bright bit,\
         brighter areas,brightest parts,bright zones,bright patches,bright patch,bright spot,light areas,light parts,\
         lighter areas,the bright areas,hot highlights,white areas,white parts,overexposed parts,overexposed part,blown parts,\
         blown bits,burnt areas,burnt out areas,hot bits,highs,hilights,highlites,light patches,patches of light,\
         pools of light,sun patches on",
    ),
    (
        Property(P::WhiteBalance),
        "white balance,auto white balance,wb,color balance,white point,color cast correction,whitebalance,whites balance,\
         colour cast correction,white ballance",
    ),
    (
        Property(P::Upright),
        "vertical,verticals,vertical lines,horizon,horizons,perspective,geometry,lines,horizontal lines,horizontals,square up,\
         straight verticals,straight lines,alignment,building lines,vertical walls,tilt correction,uprights,plumb lines,\
         straightness,wall lines,door lines,vanishing lines,slant correction,verts,verticles,vert lines",
    ),
    (
        Property(P::Windows),
        "see the garden,see the view,see outside,see the outside,windows,window,view,views,outside view,view outside,\
         window views,window view,views outside,pull the windows,window masking,window exposure,window light,window highlights,\
         see out,sea view,ocean view,lake view,mountain view,garden view,view of sea,view of lake,through glass,\
         through the glass,through windows,through the window,through the windows,through the patio doors,out of window,\
         out of the window,out of windows,out of the windows,outside the window,outside the windows,panorama,scenery outside,\
         landscape outside,whats outside,what is outside,outdoor view,scenery,view of garden,view to garden,\
         see through the window,beyond the glass,behind the glass,behind the windows,window area,window areas,outlook,vista,\
         windows and view,beach view,city view,skyline,skyline view,river view,pool view,balcony view,french doors,patio doors,\
         sliding doors,glass doors,see lake,see sea,see ocean,see mountains,see mountain,see beach,see city,see street,\
         see trees,see pool,see garden,see water,see river,see outdoors",
    ),
    (
        Property(P::Sky),
        "sunnier,clouds,cloud,remove clouds,fewer clouds,sky,skies,blue sky,blue sky with clouds,sky with clouds,\
         sky with few clouds,blue sky with few clouds,sky with some clouds,blue sky with some clouds,sky with fluffy clouds,\
         sky with white clouds,blue sky with white clouds,blue sky with light clouds,clear sky,sunny day,sunny,sunny weather,\
         nice weather,good weather,sunshine day,new sky,better sky,sunny look,bluebird day,sky replacements,replace sky,\
         cloudless,heaven,overcast,white sky,grey sky,gray sky,dull sky,nicer weather,better weather,great weather,\
         beautiful weather,perfect weather,blue skies,sunny skies,clear skies,cloud free,sun shining,weather,bluer sky,\
         bluer skies,summer sky,holiday weather,holiday sky,above the roof,above the house,over the roof,over the house,\
         above the roofline,above the trees,up there,summer blue,sky blue",
    ),
    (
        Property(P::Dusk),
        "dusk,twilight,sunset,sundown,evening,blue hour,nightfall,sunset sky,dusk sky,evening shot,sun setting,setting sun,\
         after sunset,early evening,crepuscular",
    ),
    (
        Property(P::Lawn),
        "greener,lawn,lawns,grass,turf,green lawn,green grass,greener grass,greener lawn,lawn greening,grass green,\
         landscaping lush green,lush green landscaping,green landscaping,lush landscaping,landscaping green,grassy area,\
         garden grass,meadow,sod,greenery of the lawn,green lawns,lush grass,lush lawn,lush green grass,lush green lawn,\
         front lawn,back lawn,grassy,greener garden,greener yard,garden greener,yard greener,garden green,yard green,\
         lush garden,lush yard,green up the garden,green up the yard,garden lush,yard lush,lush green garden,lush green yard,\
         turf greener",
    ),
    (Property(P::Indoors), "indoor,interior,inside,interiors"),
    (Property(P::Outdoors), "outdoor,exterior,outside,exteriors"),
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
         amp up,step up,heighten,amplify,increased,stronger,higher,emphasize,accentuate,dial up,deepen,kick up,maximize,open,\
         crank,ramp up,beef up,give more,add more,enrich,deepened,fill in,intensified,bring back up,pep up,turn it up,more of",
    ),
    (
        Verb(Do::Decrease),
        "reduce,decrease,lower,tone down,turn down,bring down,pull down,dial down,dial back,take down,tame,minimize,minimise,\
         cut down,pull back,drop,weaken,subdue,back off,cut,toned down,limit,reducing,decreased,ease off,ease back,calm down,\
         diminish,ease up on,take back,tone back,reel in,rein in,scale back,roll back,knock back,knock down,take the edge off,\
         soften down,pare back,moderate,back down,wind back,turned down,go down on,cool it with,ease up,lay off,curb,dampen,\
         bring it down,bring them down,pull it down,tone it,tone them down,taken down,too strong,take it down,drop it down,\
         calm them,calm it",
    ),
    (Verb(Do::Soften), "soften,softer,softening,softly lit,soft,softly"),
    (
        Verb(Do::Enhance),
        "enhance,improve,improved,enhanced,upgrade,enhancing,optimize,optimise,beautify,refine,perk up,spruce up,freshen up,\
         enhancement,do up,jazz up,polish,glam up,tart up,make the most,boost the look,doll up,pretty up,make nice,prettify,\
         vamp up,spruce,elevate",
    ),
    (
        Verb(Do::Pop),
        "pop,punch,punch up,make it pop,pops,stand out,wow,zing,oomph,pizzazz,sparkle,wow factor,zest,kick,spark,bite,\
         edge to it",
    ),
    (
        Verb(Do::Correct),
        "fix,correct,corrected,correction,repair,straighten out,rectify,sort out,solve,resolve,proper,properly,set right,\
         correcting,fix up,sort,adjust for,put right,make right,compensate,cure,mend,clean up the lines,correct for,amend,\
         counteract,deal with,take care of,look after",
    ),
    (
        Verb(Do::Recover),
        "recover,restore,rescue,bring back,save,protect,retrieve,pull,recovering,show,reveal,make visible,visible,salvage,\
         get back,bring out,bring through,come through,get it back,pull back in,regain,uncover,show through,display,showing,\
         let us see,be able to see,make out",
    ),
    (Verb(Do::Balance), "match,balance,even out,even,equalize,equalise,balancing,blend,uniform,more even"),
    (
        Verb(Do::Remove),
        "paint out,brush out,take,remove,erase,delete,get rid of,take out,taken out,take away,taken away,taken off,cut away,photoshop out,edit out,clone out,clear out,\
         eliminate,undo,revert,cut out,clear off,removed,removal,removing,take off,strip out,retouch out,dispose of,wipe out,\
         rid of,crop out,lose the,clear away,photoshop away,edit away,airbrush out,lose,ditch,kill,kick out,scrap,wipe,\
         wipe away,yank,zap,chop out,scrub out,shop out,magic away,magic out,clean away,go away,blot out,rub out,exclude,\
         clean out,brush away,spot out,heal out,touch out,shouldnt be there,take it out,take them out,get it out,get them out,\
         make go away,needs to go,need to go,has to go,have to go,must go,should go,disappear,vanish",
    ),
    (
        Verb(Do::Hide),
        "hide,cover up,cover,conceal,mask,camouflage,disguise,make invisible,invisible,hidden,paper over,gloss over,\
         smooth over,cover over,nobody should notice,nobody notices,so nobody sees,so no one sees,unnoticeable,less noticeable,\
         not noticeable,notice,nobody sees it,no one sees it,nobody notices it,no one notices it,nobody will see it,\
         nobody will notice,no one will notice,no one notices,nobody sees that,nobody spots it",
    ),
    (
        Verb(Do::Add),
        "use,using,add,put,insert,place,include,introduce,adding,put in,drop in,overlay,photoshop in,superimpose,added,invent,\
         generate,create,hallucinate,fabricate",
    ),
    (
        Verb(Do::Replace),
        "replace,swap,switch,exchange,substitute,convert,transform,turn into,turn,swap out,change out,replacement,conversion,\
         replacing,exchanging,trade,change to,change into,make into,swop,sub in,turned into",
    ),
    (
        Verb(Do::Touch),
        "change,touch,alter,edit,modify,adjust,mess with,process,altering,changing,tweak,adjusting,alteration,tamper,play with,\
         adjustment,move,moving,rearrange,reposition,fiddle with,mess around with,meddle with,fool with,screw with,fuss with,\
         muck about with,play around with,do anything to,do anything with,do something to,change anything about,retouch,\
         work on,interfere with",
    ),
    (
        Verb(Do::Keep),
        "keep,preserve,maintain,retain,as is,unchanged,untouched,as they are,as it is,respect,original,keeping,preserving,stay,\
         stays,remain,remains,intact,same,identical,exactly as",
    ),
    (
        Verb(Do::Stretch),
        "ceiling higher,ceiling look higher,bigger,larger,spacious,more spacious,wider,widen,roomier,open up space,\
         open up room,higher ceiling,taller,expansive,wide angle,enlarge,stretch,more space,more room,feel bigger,look bigger,\
         look larger,more open,increase the space,oversized,huge,expand,deeper room,longer,look big,feel big,appear bigger,\
         bigger looking,seem bigger,seem larger,more square meters,more square footage,double the size,roomy,larger than,\
         size up,grander,vast,massive room,appear wider,loftier,palatial,more airy space,less cramped,less tiny,not so small,\
         not so cramped,less narrow,twice as big,as big as,twice the size,twice as large,twice as spacious,look cramped less,\
         look less cramped,look less narrow,larger than it is,bigger than it is,look higher,looks higher,appear higher,\
         feel higher,seem higher,look taller,look wider,look deeper,look longer,appear taller,feel wider,ceiling up",
    ),
    (
        Change(&[(P::Shadows, -1.0)]),
        "deeper blacks,darker blacks,richer blacks,deepen blacks,blacks down,lower blacks,lower the blacks,blacks deeper,\
         blacks darker,blacks richer,blacks blacker,blacker blacks,true blacks,stronger blacks,more black,blacks have no depth,\
         blacks look grey,blacks look washed,blacks are grey,deepen shadows,darken shadows,deeper shadows,darker shadows,\
         more shadows,stronger shadows,shadows deeper,shadows darker,richer shadows,heavier shadows,deepen the dark areas,\
         crush the blacks,crush blacks,shadows down,more shadow",
    ),
    (
        Change(&[(P::Sharpness, -1.0)]),
        "less crisp,less sharp,less sharpness,less sharpening,less clarity in the details",
    ),
    (
        Change(&[(P::Highlights, -1.0)]),
        "whiter highlights,brighter highlights,highlights up,highlights brighter,lift highlights,lift the highlights,whites up,\
         brighter whites,whites brighter,raise whites,raise the whites,boost whites,highlights pop,highlights shine,\
         bright parts shine,more highlights,stronger highlights",
    ),
    (
        Dry,
        "brown,browned,dead,dry,dried,dried out,dried up,parched,scorched,burnt grass,withered,wilted,bare patches,bald,\
         bald patches,patchy,yellowed,straw,hay,sunburnt,thirsty,drought,neglected,tired,dying,died,bare,sparse,thin,moss,\
         muddy,greener,green,greened,lush,healthy,yellow,yellowish,alive,fresh,revive,more brown,more brown than green,\
         more yellow than green,brown than green,browner than green,brown rather than green,yellow rather than green,\
         more straw,more straw than grass,more mud than grass",
    ),
    (
        Setting(P::Indoors),
        "indoors,indoor shot,indoor photo,indoor pic,indoor picture,indoor scene,interior shot,interior photo,interior pic,\
         interior picture,inside shot,inside photo,inside pic,inside picture,shot inside,taken inside,this is inside,\
         its inside,interior image,indoor image,interior scene",
    ),
    (
        Setting(P::Outdoors),
        "outdoors,outdoor shot,outdoor photo,outdoor pic,outdoor picture,outdoor scene,exterior shot,exterior photo,\
         exterior pic,exterior picture,outside shot,outside photo,outside pic,outside picture,shot outside,taken outside,\
         this is outside,its outside,exterior image,outdoor image,exterior scene",
    ),
    (
        Verb(Do::Leave),
        "leave,leave alone,leave be,leave as is,let it be,let be,hands off,keep your hands off,keep hands off,stay away from,\
         steer clear of,skip,not necessary for,off limits,ignore,dont mind,leave it,leaving,left alone,left as is,taboo,no go,\
         exempt,forget about,forget",
    ),
    (
        Fine,
        "is perfect,are perfect,is fine,are fine,is good,are good,is ok,are ok,is okay,are okay,is great,are great,is spot on,\
         are spot on,is alright,are alright,is right,are right,is correct,are correct,looks fine,look fine,looks good,\
         look good,looks great,look great,looks perfect,look perfect,looks right,is already good,is already fine,\
         is already perfect,is well,is nice,are nice,is lovely,works fine,was fine,was good,suits me,suits us,is how i want,\
         is how we want,i like,we like,is intentional,on purpose,is deliberate,is wanted,fine already,good already,\
         perfect already,seems fine,seem fine,seems ok,is already great,im happy with,i am happy with,happy with,\
         were happy with,pleased with,im fine with,good enough already,is balanced already",
    ),
];
