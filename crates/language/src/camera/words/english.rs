//! English.

use crate::camera::item::CameraMove as M;
use crate::camera::item::Direction as To;
use crate::camera::item::Item::{self, *};
use crate::camera::item::Refusal as R;
use crate::camera::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "roll forward,roll forwards,roll in,roll toward,roll towards,drive in,drive toward,drive towards,sweep in,swing in,\
         push in,dolly in,walk through,walk in,close in,closing in,go in,come in,step in,creep in,inch in,ease in on,move in,\
         zoom in,track in,truck in,tracking in,wide to close,wide to tight,from wide to close up,wide to close up,closer look,\
         get in close,get in closer,in closer,go in closer,tighter,go tighter,get tighter,nearer to,nose in,edge in,\
         edge closer,sneak in,sneak up,sneak closer,sneak up on,wade in,wander in,stroll in,tiptoe in,home in,home in on,\
         bring us closer,bring us in,take us in,take us inside,go inside,move inside,forward motion,forward move,inward motion,\
         ride in,dive in,focus in,wide to near,far to near,from far to near,start far and end near,zooming,zoom closer,\
         fly closer,fly toward,fly towards,fly forward,float in,glide in,drift in,head in,head into,head toward,head towards,\
         head for,lean in,lean into,creep up on,creep up to,walk up to,go up to,get up to,come up to,roll up to,drive up to,\
         step up to,go tight,get tight,end tight,finish tight",
    ),
    (
        Moves(&[M::PullOut]),
        "pull out,pull back,pull away,dolly out,dolly back,zoom out,move back,draw back,back away,back off,back up,step back,\
         widen out,open out,open up wide,widen,dolly away,pull backward,pull backwards,track back,track out,move out,\
         backing away,zoom back,pullback,ease back,come back,from close up to wide,close up to wide,close to wide,\
         tight to wide,pull off,go back,going back,move backwards,move away,go away,go farther,get further away,further away,\
         farther away,farther back,further back,wider view,go wide,get wider,go wider,end wide,finish wide,finish on wide,\
         ends wide,fly back,fly away,fly backwards,float back,drift back,drift away,glide back,glide backward,glide backwards,\
         walk back,walk backwards,walk out,step out,exit,leave the room,leave through,reverse out,backward motion,\
         backward move,zoom away,ease out,out of the room backwards,near to far,from near to far,show the whole room,\
         see the whole room,see whole room,scale back,distance ourselves,draw away,move off,move further away,create distance,\
         gain distance,unzoom,dezoom,zoomout,back off from,widen shot,widen view,widen frame,widen picture,widen up",
    ),
    (
        Moves(&[M::TiltUp]),
        "tilt from floor to ceiling,tilt from bottom to top,angle up,angled up,pan up,look up,sweep up,pan upward,pan upwards,\
         glance up,gaze up,peer up,peek up,stare up,head up,turn up,raise your eyes,raise gaze,lift gaze,lift your gaze,\
         lift your eyes,eyes up,face up,aim up,point up,nose up,tilt skyward,look skyward",
    ),
    (
        Moves(&[M::TiltDown]),
        "tilt from ceiling to floor,tilt from ceiling,tilt from top to bottom,angle down,pan down,look down,sweep down,\
         pan downward,pan downwards,glance down,gaze down,peer down,peek down,stare down,head down,turn down,lower your eyes,\
         lower gaze,lower your gaze,drop gaze,eyes down,aim down,point down,nose down",
    ),
    (
        Moves(&[M::DollyZoom]),
        "dolly zoom,vertigo,vertigo effect,vertigo shot,hitchcock zoom,hitchcock effect,zolly,contra zoom,trombone shot,\
         dolly zoom effect,jaws effect,jaws,jaws shot,jaws zoom,spielberg zoom,background stretches,background stretches away,\
         background stretching,hitchcock,vertigo zoom,reverse zoom effect,zoom in while moving back,trombone effect,trombone,\
         stretching background,zido,dolly counter zoom,counter zoom,push pull,background warps,warping background,zoom dolly",
    ),
    (
        Moves(&[M::Reveal]),
        "unveil,unveiling,reveal,reveal shot,big reveal,reveals,uncover,uncovering,uncovers,disclose,emerge from behind,\
         come out from behind,peek out from behind,peek out,appear from behind,from behind the,reveals itself",
    ),
    (
        Moves(&[M::FlyThrough]),
        "fly through,flythrough,fly in,fly into,soar through,zoom through,fpv,swoop through,glide all the way through,\
         flying through,drone through,drone flies through,drone fly through,fpv drone,racing drone,drone run through,\
         drone race,weave through,buzz through,drone tour,flight through,drone glides through,drone zips through,\
         drone flight through,drone dives through",
    ),
    (
        Moves(&[M::Hold]),
        "lock camera,lock the camera,lock the shot,lock shot,lock it off,perfectly still,completely still,absolutely still,\
         totally still,stand perfectly still,hold,hold still,static,stay still,no movement,no motion,no camera movement,\
         no camera motion,locked off,locked,lock off,stationary,fixed camera,fixed shot,tripod,keep camera still,camera still,\
         still camera,motionless,without moving,stand still,remain still,freeze,keep still,camera does not move,\
         camera doesnt move,no panning or zooming,stay put,camera fixed,immobile,stays still,remains still,unmoving,holds,\
         still shot,still frame,still image,still picture,still photo,a still,stills,perfectly static,no moves,no move,\
         no moving,nothing moves,nothing should move,nothing moving,nothing to move,freeze the picture,leave camera alone,\
         leave it still,leave the camera where it is,stay where it is,stay in place,stays in place,remain in place,stays put,\
         parked,immovable,unmoved,rock solid,rock steady shot,pinned,anchored,nailed down,nailed to the floor,sticks,\
         sticks mode,on sticks,on a tripod,on tripod,tripod mounted,camera stays,camera rests,no camera move,no camera moves,\
         no camera moving,camera should stay,motion free,movement free,no animation,zero movement,zero motion,dont animate,\
         do not animate,standing still,photo like,like a photo,like a photograph,just the photo,leave as photo,stay as it is,\
         stop moving,quit moving,non moving,none moving,hold position,hold camera,hold the camera,steady on tripod,\
         screensaver still,not animate,not moving at all,not moving camera,not move camera,keep the camera where it is,\
         keep camera exactly where it is,camera exactly where it is,keep it where it is,stays where it is",
    ),
    (
        Usual(&[M::PushIn]),
        "dolly shot,dolly movement,follow shot,ken burns,first person,pov,walking shot,walkthrough,walking tour,point of view,\
         tour,home tour,house tour,first person view,gimbal walk,steadicam walk,pov of someone,pov of a person,\
         pov of somebody,pov like someone,pov as if someone,point of view of someone,point of view of a person,\
         first person view of someone,first person view of somebody,pov of a buyer,pov of a visitor,pov of a guest,\
         pov of a man,pov of a woman,as someone walking",
    ),
    (
        Usual(&[M::PushIn, M::Rise]),
        "drone,drone like,drone shot,drone style,drone footage,drone view,aerial,aerial shot,aerial view,aerial feel,flyover,\
         helicopter,flying over,fly over,soar over,fly across,quadcopter,dji,from the air,helicopter shot,uav,copter",
    ),
    (
        Verb(Do::Go),
        "bring,take,move,go,glide,travel,drift,float,progress,come,camera move,slip,sail,ride,cruise,flow,proceed,wander,\
         make its way,swoop,shift,moving shot,steadicam shot,continue,dolly,roam,stray,wend,transport,carry,nudge,shove,mosey,\
         amble,meander,moves,movement toward,motion toward,hover",
    ),
    (
        Verb(Do::Push),
        "push,approach,enter,advance,walk,step,creep,press,inch,crawl,follow,stroll,venture,draw near,head,get closer,\
         move closer,draw closer,come closer,closer,tighten,forge,plunge,dive,stride,lead,nearer,get near,get nearer,\
         move nearer,go nearer,come nearer,move up to,close on,march,charge,barge,stalk,tiptoe,sneak,closing,closer and closer,\
         inch closer,ease closer,ease toward,ease towards,gravitate,hurtle,zip,dash,race,zooming in on,go near,go close,\
         get close,come near,come close,move near,move close,step near,step close",
    ),
    (Verb(Do::Zoom), "zoom,crash zoom,punch in,magnify"),
    (
        Verb(Do::Pull),
        "pull,retreat,recede,withdraw,retract,reverse dolly,back out,reverse,backtrack,back off,back away from,drop back,\
         fall back,retire,depart,egress,move away from,get away from,distance from",
    ),
    (
        Verb(Do::Slide),
        "slide,slider,truck,track,crab,strafe,sidestep,slider shot,tracking,tracking shot,trucking shot,trucking,side scroll,\
         skim,side to side,dolly sideways,lateral dolly,lateral tracking,side slide,sideways slide,side move,sideways move,\
         sideways motion,lateral movement,lateral shift,side step,side track,sidetrack,on rails,rails,on a rail,track dolly,\
         side shuffle,shuffle,scoot,slip sideways,translate,translation,crabbing,crab walk,trucking move,parallel move,\
         dolly track,scroll",
    ),
    (
        Verb(Do::Pan),
        "pan,sweep,panoramic,survey,scan,swing,panorama,sweeping,sweep across,swipe,panning shot,panoramic sweep,\
         look from side to side,scan across,turn around,rotate the view,slow scan",
    ),
    (
        Verb(Do::Look),
        "turn,look,rotate,swivel,face,pivot,gaze,yaw,glance,peek,peer,turn your head,turn head,turns head,move your head,\
         head turn,head turns,swing your head,point camera,point the camera,aim,aim the camera,swing the camera,stare,\
         turn the view,turn view,swing view,direct the camera,veer,swivels,only the head moves,just the head moves,\
         only head moves,head moves,only the head turns,let the eye wander,let the eyes wander,eye wander,eyes wander,\
         eye wanders,let the gaze wander,gaze wander,gaze wanders,eyes travel,eye travel,gaze travel,eye drift,eyes drift,\
         gaze drift,gaze drop,eyes drop,gaze climb,eyes climb,gaze move,eyes move",
    ),
    (Verb(Do::Tilt), "nose,tilt,pitch,tip,angle the camera,angle camera,inclination,tilting"),
    (
        Verb(Do::Crane),
        "crane,rise,rise up,ascend,lift,jib,boom,pedestal,elevate,raise,climb,levitate,lift off,gain height,crane shot,\
         rising shot,tower up,elevator shot,ascent,take off,taking off,craning,heighten,rise higher,go higher,get higher,\
         move higher,higher up,hoist,float up,fly up,soar up,launch,lift up,raise the camera,raise camera,ascending,\
         up in the air,upward lift,elevator up,scissor lift,cherry picker,drone up,drone ascends,boom shot,jib shot,jib arm,\
         crane arm,vertical rise,straight up",
    ),
    (
        Verb(Do::Sink),
        "descend,lower,sink,drop,come down,go down,fall,settle down,descent,lower the camera,lower camera,get lower,go lower,\
         move lower,lower down,come lower,dip,fly down,float down,glide down,crane downward,drone down,elevator down,\
         touch down,land slowly,sinking,descending,duck,crouch,squat,plummet,drop down,drone lands,fall down,parachute",
    ),
    (
        Verb(Do::Orbit),
        "orbit,arc,circle,revolve,orbital,encircle,swirl,curve,turntable,semicircle,rotate around,revolve around,swing around,\
         go around,walk around,arcing,orbit shot,orbiting,go round,goes round,going round,walk round,move around,moves around,\
         moving around,travel around,fly around,fly round,flies around,drive around,circle around,wrap around,wraparound,\
         round and round,half circle,semi circle,quarter circle,arc around,arc shot,circular,circular move,circular motion,\
         circumnavigate,loop around,rotate about,pivot around,carousel,merry go round,full circle,rotate round,bullet time,\
         matrix style,matrix shot,matrix effect,all the way around,all around,go all around,360 around,360 degree view of,\
         circling,spiral,spiral around,curved move,curved path,arched",
    ),
    (
        Verb(Do::Parallax),
        "parallax,2.5d,depth effect,3d effect,3d photo,depth parallax,parallax effect,parallax shot,parallax motion,3d motion,\
         depth,some depth,more depth,a sense of depth,sense of depth,feeling of depth,depth feel,depth feeling,depth motion,3d,\
         3d look,3d feel,3d feeling,3d photo thing,3d depth,3d style,3d camera,three dimensional,3 dimensional,3d photos,\
         3d picture,3d image,facebook 3d,pop out,pop out effect,layered motion,layers moving,layers move,layers shift,\
         foreground and background move,foreground moves,foreground should move,differently than background,two and a half d,\
         2 5d,2d to 3d,2.5d effect,2.5 d,stereo effect,stereoscopic,volumetric,move at different speeds,different speeds,\
         wiggle 3d,wigglegram,spatial,spatial photo,depth illusion,depth look,illusion of depth",
    ),
    (
        Direction(To::In),
        "in,into,forward,forwards,toward,towards,inward,inwards,ahead,onward,deeper,straight in,straight ahead,inside,\
         closer to,up to,down hallway,down long hallway,down corridor,down long corridor,down hall,down the aisle,\
         along hallway,along the corridor,in there,nearer,near to it,up close,in toward,in towards,up the hallway,up the path,\
         up the driveway,down the hall,down the hallway,down the corridor",
    ),
    (Direction(To::Out), "out,back,backward,backwards,away,away from,outward,outwards,rearward"),
    (
        Direction(To::Left),
        "left,leftward,leftwards,left to,to left side,left hand side,to the left,leftside,left side,lefthand,to my left,\
         to your left,lft,port side,lefty",
    ),
    (
        Direction(To::Right),
        "right,rightward,rightwards,to right side,to the right,rightside,right side,righthand,right hand side,to my right,\
         to your right,rigth,starboard",
    ),
    (
        Direction(To::Up),
        "up,upward,upwards,above,overhead,higher,skyward,vertically,to the top,toward top,towards the top,on high",
    ),
    (
        Direction(To::Down),
        "down,downward,downwards,below,lower down,floor level,under,to the bottom,toward the bottom,towards the bottom,\
         toward ground,to ground level,to floor level,to sofa height,to table height,to knee height",
    ),
    (Direction(To::Rightward), "left to right,from left to right,left right,l to r,ltr,from left side to right side"),
    (Direction(To::Leftward), "right to left,from right to left,right left,r to l,rtl"),
    (
        Direction(To::Across),
        "parallel,across,sideways,lateral,laterally,sideways across,along,past,alongside,horizontally,horizontal",
    ),
    (Direction(To::Over), "over"),
    (Direction(To::Around), "around,round,about"),
    (Direction(To::Clockwise), "clockwise,clock wise,cw"),
    (
        Direction(To::Counterclockwise),
        "counterclockwise,counter clockwise,anticlockwise,anti clockwise,counter clock wise,ccw,anti clock wise,\
         against the clock",
    ),
    (
        Wide,
        "wide,wide shot,wide angle,establishing shot,wide view,full room,far,panorama of,far away,wide frame,full view,\
         everything in view",
    ),
    (
        Close,
        "close,close up,closeup,detail shot,tight,tight shot,near,macro,close shot,closely,details,detail,up close,narrow,\
         zoomed in",
    ),
    (
        Start,
        "start,begin,starting,beginning,opening,open,opens,from a,start out,starts,begins,initially,first,start hidden,hidden,\
         start behind,begin behind,start hidden behind,begin hidden behind,hidden behind,starts hidden,from a position,\
         to start with,at first,at the start,at the beginning",
    ),
    (
        End,
        "end,finish,ending,land,finally,settle,stop,arrive,ending on,ends,concluding,rest,final,coming to rest,in the end,\
         at the end,eventually,wind up,end up,come to a stop,until,till",
    ),
    (
        Manner(0.65),
        "slow,slowly,gentle,gently,calm,calmly,soft,softly,a bit,a little,relaxed,leisurely,slow motion,gradual,gradually,\
         graceful,gracefully,easy,lazy,serene,tranquil,peaceful,unhurried,delicate,careful,quiet,slow paced,\
         slightly faster than still,mild,dreamy,meditative,soothing,little,bit,slowmo,smoothly slow,slower,calmer,gentler,\
         softer,smoother and calmer,more calmly,more slowly,more gently,slowish,slow and steady,snail pace,snails pace,\
         like a snail,sluggish,creeping,relaxing,chill,chilled,easy going,laid back,no rush,no hurry,no stress,take your time,\
         dont rush it,dont rush,do not rush,without rushing,without hurry,unrushed,restful,zen,soothingly,tender,tenderly,\
         featherlight,feather light,lightly,nice and slow,nice and easy,slo mo,dreamlike,hypnotic,patient,patiently,\
         at walking pace,lingering,languid,mellow,timid,tame,modest,modestly,quietly,ever so,drowsy,sleepy,lame,boring,slow mo,\
         snail,dull,low key,low speed,at low speed,low pace,slow down,slow it down,floaty,floating",
    ),
    (
        Manner(0.5),
        "as slow as possible,as slowly as possible,subtle,subtly,slight,slightly,tiny,barely,minimal,imperceptible,\
         almost still,small,hint of,a touch,a hint,micro,faint,barely moving,hardly any,hardly moving,barely noticeable,\
         hardly noticeable,almost imperceptible,a tad,tad,super subtle,a smidge,a hair,minimally,minor,discreet,understated,\
         almost not,tiny bit,teeny",
    ),
    (
        Manner(1.0),
        "nothing else,nothing more,only that,smooth,smoothly,cinematic,steady,steadily,elegant,fluid,fluidly,\
         stabilized,stabilised,steadicam,gimbal,professional,natural,seamless,continuous,controlled,stable,film like,hollywood,\
         luxury,luxurious,immersive,constant,consistent,moderate,medium,normal,even,balanced,epic look,polished,high end,\
         ethereal,weightless,buttery smooth,buttery,clean,motorized,precise,medium speed,realistic,deliberate,measured,flowing,\
         level horizon,horizon level,keep horizon level,keep camera level,modern,architectural,uniform,stable horizon,\
         steady horizon,straight horizon,locked horizon,horizon stable,horizon straight,smoother,steadier,smoothness,butter,\
         silky,silky smooth,classy,stylish,upscale,premium,tasteful,elegantly,gracefully smooth,without jerks,fluent,fluently,\
         rock steady,cinematically,cinema like,like a movie,movie like,movie style,like in a movie,pro,professionally,\
         film style,jerk free,like in a movie trailer,like in a film trailer,like in a trailer,like a trailer,\
         like a movie trailer,movie trailer style,trailer style,like a film trailer,like in the trailer,like a cinema trailer",
    ),
    (
        Manner(1.3),
        "fast,quick,quickly,dynamic,energetic,rapid,rapidly,brisk,swish,swift,swiftly,speedy,lively,whip,snappy,speed up,\
         faster,rush,rushed,hurry,hurried,hectic,hasty,quicker,speedier,snappier,livelier,more speed,more energy,energetically,\
         action packed,punchy,zippy,pacy,pacey,high energy,energy,with energy,full speed,turbo,super fast,lightning fast,hyper,\
         frantic,hectic pace,at speed,upbeat,vigorous,vigorously,quick pace,fast paced,briskly,up tempo,tempo,sudden,abrupt,\
         abruptly,real quick,really quick,pronto,hurry up,step on it,more action,more dynamic,more energetic,racy,racing,\
         with pace,whip fast,high speed,at high speed,top speed,great speed,breakneck speed,breakneck,lightning speed,high pace,high tempo,sporty,fastish,asap,swooshing,action,speed it up,hard,hard on,forcefully fast",
    ),
    (
        Manner(1.4),
        "dramatic,dramatically,bold,strong,big,epic,powerful,intense,sweeping move,large,exaggerated,aggressive,pronounced,\
         far reaching,grand,wild,wilder,crazy,mad,extreme,insane,violent,violently,bolder,stronger,more dramatic,drama,\
         more drama,spectacular,spectacularly,intensely,strongly,majestic,impressive,exciting,thrilling,wow,breathtaking,\
         over the top,big time,massive,huge,heroic,forceful,forcefully",
    ),
    (Very, "very,super,extremely,ultra,really,so,quite,extra,more,pretty,much,a lot,even,properly,totally,mega,hyper"),
    (Too, "too,overly,excessively,way too,far too,much too,a bit too,a little too,bit too,kinda too,to much,too much"),
    (Less, "less,less of,fewer"),
    (
        No,
        "should not,shouldnt,must not,mustnt,will not,wont,would not,wouldnt,can not,cannot,cant,need not,neednt,instead of,\
         rather than,not wanted,no need to,avoiding,refrain,skip,nor,no,not,dont,do not,never,without,avoid,zero,doesnt,\
         does not,free of,nothing,stop the,dont want,do not want,dont need,no need for,never ever,aint,nothing like,none of,\
         by no means,under no circumstances,please no,without any,refrain from,quit,lose the,ditch the,leave out,not a,\
         dont like,do not like,instead of the,rule out,dont you dare",
    ),
    (
        Refused(R::Shake),
        "handheld,hand held,shaky,shake,shaking,shaky cam,camera shake,jitter,jittery,wobble,wobbly,bumpy,bouncy,\
         documentary style,found footage,unsteady,sway,vlog,gopro,shakes,jerky,vibration,bodycam,run and gun,documentary,\
         trembling,tremble,wobbling,shakey,shake it,camera wobble,drone wobble,wobbles,amateur,amateurish,home video,homevideo,\
         like a phone video,phone video,selfie stick,selfie,cam shake,blair witch,earthquake,judder,nervous,twitchy,\
         hand camera,hand cam,paparazzi,camcorder,jiggle,jiggly,rattle,bounce a little,vloggy,drunk,stumble,walking bob,\
         head bob,bobbing,body cam,shoulder cam",
    ),
    (
        Refused(R::Roll),
        "dutch angle,dutch tilt,roll,barrel roll,tilted horizon,canted angle,spin,spinning,upside down,corkscrew,dutch,canted,\
         twirl,flip,rolling,rolls,barrel rolls,spin around,spins,somersault,loop the loop,looping the loop,tumble,\
         rotate the horizon,tilt the horizon,tilted frame,tilt sideways,horizon tilt,crooked angle,lean to the side,banking,\
         turn upside,rotate the image,rotate the picture,roll over,kaleidoscope,pirouette,cartwheel,dutch roll,on its head,\
         inverted,head over heels",
    ),
    (
        Refused(R::Focus),
        "rack focus,focus pull,pull focus,depth of field,shallow depth of field,bokeh,blur,blurred,blurry,defocus,out of focus,\
         shallow focus,focus shift,tilt shift,blurred background,selective focus,lens flare,motion blur,focus transition,\
         refocus,change focus,shift focus,focus change,focus from,focus from the,focus to,dof,soft background,sharp foreground,\
         blur background,blur the background,blur foreground,blur the foreground,blurring,background blur,\
         out of focus background,focus racking,racking focus,bokeh balls,sharpness from,go out of focus,come into focus,\
         comes into focus,into focus,background soft,lens blur,portrait mode,macro focus,autofocus",
    ),
    (
        Refused(R::Motion),
        "curtains moving,people walking,walking people,rippling,ripples,waves,wind,breeze,leaves,swaying,timelapse,time lapse,\
         hyperlapse,lights turning on,turning on,turn on lights,flicker,flickering,smoke,steam,rain,snow,clouds moving,\
         clouds drifting,clouds,moving water,water,fire,flames,birds,dog,cat,cars driving,day to night,day turns,\
         sunlight moving,shadows moving,doors opening,door opens,opening door,animate,animated,fireplace burning,fan spinning,\
         ceiling fan,dust particles,particles,trees swaying,flowers blooming,family,morph,transform,furniture appearing,\
         sun rays,light rays,bringing to life,traffic,dancing,floating particles,plants swaying,lights flicker,light streaming,\
         sunlight streaming,light shifts,car drives,grass moving,water moving,reflections moving,light movement,\
         ambient light movement,shadow movement,movement of light,movement in the light,walk by,walks by,walking by,\
         people moving,person walks,someone walks,somebody walks,someone walking,someone,somebody,kids,baby,couple walking,\
         waving,curtain,curtain blowing,blow in the wind,blowing,flutter,fluttering,ripple,splash,splashing,flow,flowing water,\
         sparkling water,shimmering,shimmer,sea moving,waves rolling,trees moving,trees move,leaves moving,leaves falling,\
         falling leaves,grass sway,grass swaying,sway,clouds move,moving clouds,clouds passing,clouds drift,sky moving,\
         sun moving,sun rising,sun rises,sun sets,sun goes down,sun go down,sunset timelapse,day turn,day turning,day becomes,\
         night falls,night fall,day into night,time lapsed,fast forward,flames flicker,fire crackle,fire burning,fire burn,\
         burning,burn,fire lit,candles flicker,lights go on,lights come on,lights turn on,lights switch on,turn the lights on,\
         turn on the lights,switch on lights,switch the lights on,lamps turn on,lamps come on,lights off,tv on,tv playing,\
         car driving,car drive,cars drive,car passing,car pulling in,cars passing,birds flying,birds fly,butterfly,butterflies,\
         puppy,kitten,horse,door open,open the door,doors open,close the door,door closes,window opens,blinds opening,\
         blinds open,curtains open,garage opens,garage door opens,make it rain,raining,snowing,snowfall,snow falls,\
         snow falling,fog,fog rolling,mist,smoke rising,smoke from,chimney smoke,coffee steam,steaming,fan turns,fan rotating,\
         fan rotates,fan turn,clock ticking,plants move,plants moving,plants sway,flowers sway,flowers move,furniture appear,\
         furniture appears,furniture flying in,house being built,construction timelapse,come alive,comes alive,alive,\
         bring to life,bring it to life,breathing,dance,party,laughing,smile,smiling,talking,jump,jumping,swimming,swim,\
         someone swimming,playing,sitting,eating,cooking,animation of,living photo,cinemagraph,moving objects,objects move,\
         things move,things moving,seasons change,season change,people,person,woman,children,child,a man,the man,man walking,\
         man walks,men,curtains,candle,candles,fountain,waves hands,wave at,waves at",
    ),
    (
        Refused(R::Add),
        "add,insert,put,replace,remove,stage,furnish,swimming pool,delete,logo,text overlay,text,caption,captions,title,titles,\
         watermark,subtitles,overlay,new furniture,change the,erase,declutter,renovate,overlays,graphics,some text,with text,\
         write,lettering,headline,price,price tag,the price,phone number,contact details,our name,brand,branding,agency logo,\
         company logo,banner,arrow,arrows,icon,icons,emoji,emojis,sticker,stickers,graphic,lower third,intro card,end card,\
         outro,intro,call to action,qr code,website on,url,price overlay,floor plan,floorplan,include a,a sofa in,put in,\
         add in,additional furniture,staging,staged,photoshop,edit out,take out,take away,get rid of,hide the,clean up,\
         insert a,add a,narrator on screen,presenter,avatar,realtor in,model walking,mascot,new sofa,christmas tree,fireworks,\
         confetti,snowman,rainbow,unicorn,dragon,dinosaur,sparkles,hearts,frame around,countdown,timer,subtitle,place a,\
         place some,agent",
    ),
    (
        Refused(R::Sound),
        "music,sound,audio,voiceover,voice over,narration,ambient sound,soundtrack,silent,mute,dialogue,sound effects,song,\
         birds chirping,chirping,birdsong,bird song,bird sounds,birds singing,singing,sing,crackle,crackling sound,waves sound,\
         wave sounds,sound of,noise of,noises,sounds,sfx,sound fx,tune,jazz,beats,techno,lofi,lo fi,hip hop,pop song,classical,\
         orchestra,drums,melody,tunes,musical,bgm,background music,spotify,voice,narrator,narrate,narrated,speak,speaks,spoken,\
         commentary,talking voice,whisper,applause,louder,with audio,audio track,soft piano,relaxing piano,piano music,\
         gentle piano,calm piano,some piano,piano tune,piano in background,piano playing,add piano,guitar music,soft guitar,\
         guitar playing",
    ),
    (
        Refused(R::View),
        "birds eye view,birds eye,bird eye view,top down,overhead shot,low angle,high angle,from below,worms eye,other side,\
         behind the house,bird view,from outside,another angle,overhead view,eye level,ground level,satellite view,top view,\
         next room,another room,through the wall,behind the door,whats behind,what is behind,see behind,show behind,\
         look behind,behind the wall,back of the house,rear of the house,back side,other room,other rooms,other bedroom,\
         other bathroom,second bedroom,another bedroom,different angle,different room,rest of house,rest of the house,\
         rest of the flat,rest of the apartment,rest of the room,next door,bathroom too,kitchen too,bedroom too,all rooms,\
         every room,all the rooms,each room,whole house tour,adjacent room,adjoining room,neighboring room,around the corner,\
         round the corner,whats around,outside of the house,inside of the house,inside the house view,from the outside,\
         seen from above,top down view,top down drone,topdown,nadir,floor plan view,map view,satellite,google earth,earth zoom,\
         from space,drone from above,aerial from above,overhead drone,plan view,from the garden side,from the other side,\
         side view,rear view,back view,what the neighbours see,view from the balcony,from the balcony,out of the window view,\
         opposite direction,opposite side,opposite wall,behind the camera,behind us,behind me,behind you,reverse angle,\
         turn all the way around,180 view,360 view,360 tour,panorama 360,virtual tour 360,inside the wardrobe,\
         inside the fridge,open drawers,view of the back,worms eye view,worm eye,frog perspective,frogs eye,ant view,\
         low to the ground,birds view,god view,gods eye,different perspective,new perspective,different viewpoint,upstairs too,\
         show upstairs,show downstairs,show the upstairs,floor above,floor below,other floor,other floors,shot from above,\
         view from above,filmed from above,house from above,roof from above,looking from above,straight from above,\
         camera from above",
    ),
    (
        Refused(R::Grade),
        "night,sunrise,sunset,sunset light,color grade,color grading,warm light,warm lighting,golden hour,lighting,brighter,\
         darker,warmer,moody,black and white,vintage,film grain,saturated,vibrant,warm,sunny,twilight,dusk,colors,color,\
         mood lighting,bright,grade,look of film,hdr,contrast,4k,8k,high resolution,high quality,photorealistic,\
         ultra realistic,hyper realistic,teal,orange,yellow,less yellow,blueish,bluish,cool tones,colder,saturation,saturate,\
         desaturate,desaturated,exposure,brightness,brighten,darken,lighten,lighter colors,white balance,color correction,\
         color correct,grading,graded,cinematic color,colour,colours,tint,vivid,sepia,monochrome,noir,b and w,b w,bw,filter,\
         filters,lut,luts,vhs,retro,8mm,super 8,kodak,analog,film look,film grain look,grain,grainy,sharpen,sharper,crisper,\
         upscale,resolution,sunshine,sunnier,sunny look,blue sky,sky replacement,greener,greener grass,green grass,\
         lights warmer,evening light,evening mood,morning light,at night,night time,nighttime,dusk look,moonlight,neon,\
         cozy light,cosy light,cosier,cozier,dark mood,atmospheric light,lit up,glowing,highlights,less dark,too dark,\
         overexposed,underexposed,pastel,vintage look,high key,low key look,teal and orange,orange and teal,washed out,\
         contrasty,more contrast,hdr look,snapchat,instagram filter",
    ),
    (
        Refused(R::Cut),
        "cut to,cuts,cut,fade,fade in,fade out,dissolve,transition effect,loop,looping,looped,boomerang,speed ramp,\
         speed ramping,ramp,back and forth,split screen,freeze frame,glitch,bounce,ping pong,jump cut,slow then fast,\
         accelerating,wipe,crossfade,cross fade,cut between,cutting,jump cuts,hard cut,several shots,multiple shots,\
         different shots,two shots,three shots,several angles,multiple angles,different angles,three different angles,\
         shot list,montage,compilation,collage,slideshow,slide show,then switch,switch to,switch between,swap to,transitions,\
         fade to black,fade to white,fade from black,fading,fades,blend into,dissolves,whip transition,swipe transition,\
         swipe to,page turn,star wipe,seamless loop,infinite loop,endless loop,repeat,on repeat,gif loop,rewind,\
         reverse playback,play backwards,play in reverse,then back again,and back again,back and forward,forth and back,\
         speed up then slow,speed up at,slow down at,slow down at the end,time remap,start slow then fast,\
         start slow and get faster,getting faster,gets faster,faster and faster,slower and slower,accelerate,decelerate,\
         stop and go,stutter,strobe,flash cut,beat sync,sync to the beat,on the beat,picture in picture,pip,before and after,\
         before after,side by side,grid,multi cam,multicam,match cut,scene change,change scenes,next scene,new scene,\
         second scene,next photo,next picture,multiple scenes,intercut,storyboard,trailer,teaser,zoom transition,\
         morph transition,video wall,stop motion,transition to",
    ),
    (
        Target,
        "over to,over there,over toward,over towards,of,at,on,to,from,for,between,behind,beside,near to,by,upon,off,onto,\
         under the,as it,as we,as the camera,as if,like,where,like a,following,across from,against,next to,as,featuring,\
         focusing on,focus on,focused on,focusing,maintaining,keeping,keep,centered on,center,over at,on top,in front of,\
         close to,towards where,so that we see,so we see,so you see,so that you see,so one sees,so that,so you can see,\
         so we can see,until we see,until you see,until everything",
    ),
    (
        Showing,
        "look out,looking out,look through,look into,showing,show,revealing,to reveal,highlighting,showcasing,showcase,to show,\
         capturing,exposing,exploring,explore,discover,passing,pass,taking in,highlight,capture,display,see,emphasizing,\
         feature,entering,leading,inviting,giving,creating,create,bringing,establishing,take in,admire,see everything,\
         see it all,presenting,present,introduce,introducing,glimpse,catch,notice,appreciate,enjoy,people to see,people see,\
         want people,guests to see,buyers to see,buyers see,viewers see,viewer sees,viewers,viewer,buyers,buyer,guests,\
         customers,people can see,people can,people to feel,people feel",
    ),
    (
        Filler,
        "well lit,glass,surfaces,surface,tile,tiles,robotic,foreground,background,foreground elements,background elements,\
         should,instead,rather,hello,dear,need,have to,give,with,mit,avec,con,parallel to,sliding door,sliding doors,\
         front steps,steps,wider,backyard,back yard,back garden,front door,front garden,front yard,front of house,\
         front of property,back of house,turn of,a,an,the,it,its,this,that,these,please,camera,cam,shot,movement,motion,clip,\
         video,make,makes,let,do,does,is,be,are,will,would,like to,want,we,i,you,lets,our,room,house,home,property,scene,space,\
         view,photo,picture,image,single,one,just,only,some,all,way,side,effect,style,feel,feeling,lens,frame,framing,shots,\
         moves,movements,begin with,can,could,have,there,entire,whole,full,main,interior,exterior,also,kind,sort,type,nice,\
         beautiful,perspective,axis,point,speed,pace,360,180,degree,degrees,half,quarter,seconds,second,real estate,vibe,path,\
         line,straight,middle,centre,subject,ease,eased,easing,pure,simple,position,distance,them,then slowly,direction,\
         diagonal,operator,seamlessly,time,take,long,short,during,again,bit more,footage,direction of,virtual,listing,using,\
         use,hey,hi,thanks,thank you,which,while still,throughout,again please,u,pls,plz,thx,r,ur,im,id,ive,gonna,wanna,lemme,\
         gimme,kinda,sorta,maybe,perhaps,possible,would it be possible,is it possible,able,if you can,if possible,if u can,\
         somehow,something like,sth,smth,this time,last time,last one,last clip,last video,the last one,previous one,next one,\
         version,one more,another,try,do it,do a,do the,do some,lets do,lets go,lets have,lets try,can we,can you,could you,\
         would you,could we,may i,id like,i would like,i want,we want,we need,i need,looking for,go for,how about,what about,\
         would be nice,would be great,be great,be nice,be cool,prefer,preferably,for instagram,for tiktok,for reels,for a reel,\
         for youtube,for social media,for airbnb,for the website,style shot,kind of like,type of,sort of,some kind of,\
         basically,actually,simply,literally,honestly,really just,yeah,yep,hmm,oh,hm,lovely,pretty please,a little differently,\
         little differently,friendly,cheers,guys,hiya,good morning,good evening,good afternoon,kindly,appreciate,appreciated,\
         wish,hope,hoping,keep going,no idea,idea,whatever,dunno,dont know,i think,think,guess,believe,feels,look like,\
         looks like,seems,sounds,such,very own,ourselves,yourself,themselves,viewpoint,tripod head,fluid head,imaginary,\
         invisible,perfect,nicely,please just,from facebook,facebook,instagram,iphone,phone,like on tv,like in films,netflix,\
         apple,tesla,glass lift,glass elevator,like in a lift,like in an elevator,in a lift,in an elevator,like a lift,\
         like an elevator,than,the sink,a sink,kitchen sink,bathroom sink,double sink,at all,to eye level,to eye height,\
         to chest height,to waist height,drone ending,drone finish,drone outro,drone outro shot,drone exit,drone style ending,\
         drone final,classic,typical,standard,usual,signature",
    ),
    (Verb(Do::Fly), "fly,soar,flight,flies,flying,whoosh,hover through"),
    (Direction(To::Through), "through,thru,trough"),
    (
        High,
        "ceiling,ceilings,roof,rooftop,roofline,beam,beams,roof beams,ceiling beams,chandelier,ceiling lamp,ceiling light,sky,\
         treetops,skylight,gable,rafters,top of the tower,attic window,stucco,moldings,heaven,clouds above,top of the house,\
         lampshade above",
    ),
    (
        Low,
        "floor,ground,rug,carpet,parquet,tiles on floor,floor tiles,floorboards,floor boards,lawn,grass,doormat,pool,\
         water surface,street,driveway,flooring",
    ),
    (
        Rapid(&[M::FlyThrough]),
        "zip through,whiz through,whizz through,dart through,speed through,rush through,dash through,race through,\
         blast through,hurtle through,tear through",
    ),
    (
        Rapid(&[M::PushIn]),
        "dash to,dash toward,dash towards,race to,race toward,race towards,charge toward,charge towards,charge at,storm in,\
         hurtle toward,hurtle towards,zip in,zip to,zip toward,bolt toward,speed toward,speed towards,dash in,sprint to,\
         sprint toward,shoot toward,shoot forward,rocket toward",
    ),
    (Rapid(&[M::PanLeft]), "whip left,snap left,flick left,whip around left,swish left"),
    (Rapid(&[M::PanRight]), "whip right,snap right,flick right,whip around right,swish right"),
    (Rapid(&[M::TiltUp]), "whip up,snap up,flick up"),
    (Rapid(&[M::TiltDown]), "whip down,snap down,flick down"),
];
