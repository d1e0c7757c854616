//! English.

use crate::prompt::item::CameraMove as M;
use crate::prompt::item::Direction as To;
use crate::prompt::item::Item::{self, *};
use crate::prompt::item::Refusal as R;
use crate::prompt::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "roll forward,roll forwards,roll in,roll toward,roll towards,drive in,drive toward,drive towards,sweep in,swing in,\
         push in,dolly in,walk through,walk in,close in,closing in,go in,come in,step in,creep in,inch in,ease in on,move in,\
         zoom in,track in,truck in,tracking in,wide to close,wide to tight,from wide to close up,wide to close up",
    ),
    (
        Moves(&[M::PullOut]),
        "pull out,pull back,pull away,dolly out,dolly back,zoom out,move back,draw back,back away,back off,back up,step back,\
         widen out,open out,open up wide,widen,dolly away,pull backward,pull backwards,track back,track out,move out,\
         backing away,zoom back,pullback,ease back,come back,from close up to wide,close up to wide,close to wide,tight to wide",
    ),
    (
        Moves(&[M::TiltUp]),
        "tilt from floor to ceiling,tilt from bottom to top,angle up,angled up,pan up,look up,sweep up,pan upward,pan upwards",
    ),
    (
        Moves(&[M::TiltDown]),
        "tilt from ceiling to floor,tilt from ceiling,tilt from top to bottom,angle down,pan down,look down,sweep down,\
         pan downward,pan downwards",
    ),
    (
        Moves(&[M::DollyZoom]),
        "dolly zoom,vertigo,vertigo effect,vertigo shot,hitchcock zoom,hitchcock effect,zolly,contra zoom,trombone shot,\
         dolly zoom effect,jaws effect",
    ),
    (Moves(&[M::Reveal]), "unveil,unveiling,reveal,reveal shot,big reveal,reveals"),
    (
        Moves(&[M::FlyThrough]),
        "fly through,flythrough,fly in,fly into,soar through,zoom through,race through,fpv,swoop through,\
         glide all the way through",
    ),
    (
        Moves(&[M::Hold]),
        "lock camera,lock the camera,lock the shot,lock shot,lock it off,perfectly still,completely still,absolutely still,\
         totally still,stand perfectly still,hold,hold still,static,stay still,no movement,no motion,no camera movement,\
         no camera motion,locked off,locked,lock off,stationary,fixed camera,fixed shot,tripod,do not move camera,\
         dont move camera,keep camera still,camera still,still camera,motionless,without moving,stand still,remain still,\
         freeze,keep still,camera does not move,camera doesnt move,no panning or zooming,stay put,camera fixed,immobile,\
         dont move,do not move,stays still,remains still,unmoving,holds,still shot",
    ),
    (
        Usual(&[M::PushIn]),
        "dolly shot,dolly movement,follow shot,ken burns,first person,pov,walking shot,walkthrough,walking tour,point of view",
    ),
    (
        Usual(&[M::PushIn, M::Rise]),
        "drone,drone like,drone shot,drone style,drone footage,drone view,aerial,aerial shot,aerial view,aerial feel,flyover,\
         fly over,fly across,flying over,soar over,helicopter",
    ),
    (
        Verb(Do::Go),
        "bring,take,move,go,glide,travel,drift,float,fly,soar,progress,come,camera move,slip,sail,ride,cruise,flow,proceed,\
         wander,make its way,swoop,transition,shift,moving shot,steadicam shot,continue,dolly",
    ),
    (
        Verb(Do::Push),
        "push,approach,enter,advance,walk,step,creep,press,inch,crawl,follow,stroll,venture,draw near,head,get closer,\
         move closer,draw closer,come closer,closer,tighten,forge,plunge,dive,stride,lead,nearer,get near,get nearer,\
         move nearer,go nearer,come nearer,move up to,close on",
    ),
    (Verb(Do::Zoom), "zoom,crash zoom,punch in,magnify"),
    (Verb(Do::Pull), "pull,retreat,recede,withdraw,retract,reverse dolly,back out,reverse"),
    (
        Verb(Do::Slide),
        "slide,slider,truck,track,crab,strafe,sidestep,slider shot,tracking,tracking shot,trucking shot,trucking,side scroll,\
         skim,side to side,dolly sideways",
    ),
    (Verb(Do::Pan), "pan,sweep,panoramic,survey,scan,swing,panorama"),
    (Verb(Do::Look), "turn,look,rotate,swivel,face,pivot,gaze,yaw"),
    (Verb(Do::Tilt), "nose,tilt,pitch"),
    (
        Verb(Do::Crane),
        "crane,rise,rise up,ascend,lift,jib,boom,pedestal,elevate,raise,climb,levitate,lift off,gain height,crane shot,\
         rising shot,tower up,elevator shot,ascent,take off,taking off",
    ),
    (Verb(Do::Sink), "descend,lower,sink,drop,come down,go down,fall,settle down,descent"),
    (
        Verb(Do::Orbit),
        "orbit,arc,circle,revolve,orbital,encircle,swirl,curve,turntable,semicircle,rotate around,revolve around,\
         swing around,go around,walk around,arcing",
    ),
    (
        Verb(Do::Parallax),
        "parallax,2.5d,depth effect,3d effect,3d photo,depth parallax,parallax effect,parallax shot,parallax motion,3d motion",
    ),
    (
        Direction(To::In),
        "in,into,forward,forwards,toward,towards,inward,inwards,ahead,through,onward,deeper,straight in,straight ahead,\
         inside,closer to,up to,down hallway,down long hallway,down corridor,down long corridor,down hall,down the aisle,\
         along hallway,along the corridor",
    ),
    (Direction(To::Out), "out,back,backward,backwards,away,away from,outward,outwards,rearward"),
    (Direction(To::Left), "left,leftward,leftwards,left to,to left side,left hand side"),
    (Direction(To::Right), "right,rightward,rightwards,to right side"),
    (Direction(To::Up), "up,upward,upwards,above,overhead,higher,skyward,vertically"),
    (Direction(To::Down), "down,downward,downwards,below,lower down,floor level,under"),
    (Direction(To::Rightward), "left to right,from left to right,left right,l to r,ltr,from left side to right side"),
    (Direction(To::Leftward), "right to left,from right to left,right left,r to l,rtl"),
    (
        Direction(To::Across),
        "parallel,across,sideways,lateral,laterally,sideways across,along,past,alongside,horizontally,horizontal",
    ),
    (Direction(To::Over), "over"),
    (Direction(To::Around), "around,round,about"),
    (Direction(To::Clockwise), "clockwise"),
    (Direction(To::Counterclockwise), "counterclockwise,counter clockwise,anticlockwise,anti clockwise"),
    (Wide, "wide,wide shot,wide angle,establishing shot,wide view,full room,far"),
    (Close, "close,close up,closeup,detail shot,tight,tight shot,near,macro,close shot"),
    (Start, "start,begin,starting,beginning,opening,open,opens,from a,start out,starts,begins,initially,first"),
    (End, "end,finish,ending,land,finally,settle,stop,arrive,ending on,ends,concluding,rest,final,coming to rest"),
    (
        Manner(0.65),
        "slow,slowly,gentle,gently,calm,calmly,soft,softly,a bit,a little,relaxed,leisurely,slow motion,gradual,gradually,\
         graceful,gracefully,easy,lazy,serene,tranquil,peaceful,unhurried,delicate,careful,quiet,slow paced,\
         slightly faster than still,mild,dreamy,meditative,soothing,little,bit,slowmo,smoothly slow",
    ),
    (
        Manner(0.5),
        "as slow as possible,as slowly as possible,subtle,subtly,slight,slightly,tiny,barely,minimal,imperceptible,\
         almost still,small,hint of,a touch,a hint,micro,faint",
    ),
    (
        Manner(1.0),
        "nothing else,nothing more,only that,smooth,smoothly,cinematic,steady,steadily,elegant,floating,fluid,fluidly,\
         stabilized,stabilised,steadicam,gimbal,professional,natural,seamless,continuous,controlled,stable,film like,\
         hollywood,luxury,luxurious,immersive,constant,consistent,moderate,medium,normal,even,balanced,epic look,polished,\
         high end,ethereal,weightless,buttery smooth,buttery,clean,motorized,precise,medium speed,realistic,deliberate,\
         measured,flowing,level horizon,horizon level,keep horizon level,keep camera level,modern,architectural,uniform,\
         stable horizon,steady horizon,straight horizon,locked horizon,horizon stable,horizon straight",
    ),
    (
        Manner(1.3),
        "fast,quick,quickly,dynamic,energetic,rapid,rapidly,brisk,swish,swift,swiftly,speedy,lively,whip,snappy,speed up,\
         faster,rush,rushed,hurry,hurried,hectic,hasty",
    ),
    (
        Manner(1.4),
        "dramatic,dramatically,bold,strong,big,epic,powerful,intense,sweeping move,large,exaggerated,aggressive,pronounced,\
         far reaching,grand",
    ),
    (Very, "very,super,extremely,ultra,really,so,quite,extra,more"),
    (Too, "too,overly,excessively"),
    (Less, "less"),
    (
        No,
        "should not,shouldnt,must not,mustnt,will not,wont,would not,wouldnt,can not,cannot,cant,need not,neednt,instead of,\
         rather than,not wanted,no need to,avoiding,refrain,skip,nor,no,not,dont,do not,never,without,avoid,zero,doesnt,\
         does not,free of,nothing,stop the",
    ),
    (
        Refused(R::Shake),
        "handheld,hand held,shaky,shake,shaking,shaky cam,camera shake,jitter,jittery,wobble,wobbly,bumpy,bouncy,\
         documentary style,found footage,unsteady,sway,vlog,gopro,shakes,jerky,vibration,bodycam,run and gun,documentary",
    ),
    (
        Refused(R::Roll),
        "dutch angle,dutch tilt,roll,barrel roll,tilted horizon,canted angle,spin,spinning,upside down,corkscrew,dutch,\
         canted,twirl,flip",
    ),
    (
        Refused(R::Focus),
        "rack focus,focus pull,pull focus,depth of field,shallow depth of field,bokeh,blur,blurred,blurry,defocus,\
         out of focus,shallow focus,focus shift,tilt shift,blurred background,selective focus,lens flare,motion blur,\
         focus transition",
    ),
    (
        Refused(R::Motion),
        "curtains moving,curtains,people walking,walking people,people,person,rippling,ripples,waves,wind,breeze,leaves,\
         swaying,timelapse,time lapse,hyperlapse,lights turning on,turning on,turn on lights,flicker,flickering,smoke,steam,\
         rain,snow,clouds moving,clouds drifting,clouds,moving water,water,fire,flames,birds,dog,cat,cars driving,\
         day to night,day turns,sunlight moving,shadows moving,doors opening,door opens,opening door,animate,animated,\
         fireplace burning,fan spinning,ceiling fan,dust particles,particles,trees swaying,flowers blooming,family,child,\
         children,woman,man,morph,transform,furniture appearing,sun rays,light rays,bringing to life,traffic,dancing,\
         floating particles,plants swaying,lights flicker,light streaming,sunlight streaming,light shifts,car drives,\
         grass moving,water moving,reflections moving,light movement,ambient light movement,shadow movement,movement of light,\
         movement in the light",
    ),
    (
        Refused(R::Add),
        "add,insert,put,replace,remove,stage,furnish,swimming pool,delete,place a,logo,text overlay,text,caption,captions,\
         title,titles,watermark,subtitles,overlay,agent,new furniture,change the,erase,declutter,renovate,overlays,graphics",
    ),
    (
        Refused(R::Sound),
        "music,sound,audio,voiceover,voice over,narration,ambient sound,soundtrack,silent,mute,dialogue,sound effects,song",
    ),
    (
        Refused(R::View),
        "birds eye view,birds eye,bird eye view,top down,overhead shot,low angle,high angle,from below,worms eye,other side,\
         behind the house,bird view,from outside,another angle,overhead view,eye level,ground level,satellite view,top view,\
         next room,another room,through the wall",
    ),
    (
        Refused(R::Grade),
        "night,sunrise,sunset,sunset light,color grade,color grading,warm light,warm lighting,golden hour,lighting,brighter,\
         darker,warmer,moody,black and white,vintage,film grain,saturated,vibrant,warm,sunny,twilight,dusk,colors,color,\
         mood lighting,bright,grade,look of film,hdr,contrast,4k,8k,high resolution,high quality,photorealistic,\
         ultra realistic,hyper realistic,teal,orange",
    ),
    (
        Refused(R::Cut),
        "cut to,cuts,cut,fade,fade in,fade out,dissolve,transition effect,loop,looping,looped,boomerang,speed ramp,\
         speed ramping,ramp,back and forth,split screen,freeze frame,glitch,bounce,ping pong,jump cut,slow then fast,\
         accelerating,wipe,crossfade,cross fade",
    ),
    (
        Target,
        "over to,over there,over toward,over towards,of,at,on,to,from,for,between,behind,beside,near to,by,upon,off,onto,\
         under the,as it,as we,as the camera,as if,like,where,like a,following,across from,against,next to,as,featuring,\
         focusing on,focus on,focused on,focusing,maintaining,keeping,keep,centered on,center",
    ),
    (
        Showing,
        "look out,looking out,look through,look into,showing,show,revealing,to reveal,highlighting,showcasing,showcase,\
         to show,capturing,exposing,exploring,explore,discover,passing,pass,taking in,highlight,capture,display,see,\
         emphasizing,feature,entering,leading,inviting,giving,creating,create,bringing,establishing",
    ),
    (
        Filler,
        "well lit,glass,surfaces,surface,tile,tiles,robotic,foreground,background,foreground elements,background elements,\
         should,instead,rather,hello,dear,need,have to,give,depth,with,mit,avec,con,parallel to,sliding door,sliding doors,\
         front steps,steps,wider,backyard,back yard,back garden,front door,front garden,front yard,front of house,\
         front of property,back of house,turn of,a,an,the,it,its,this,that,these,please,camera,cam,shot,movement,motion,clip,\
         video,make,makes,let,do,does,is,be,are,will,would,like to,want,we,i,you,lets,our,room,house,home,property,scene,\
         space,view,photo,picture,image,single,one,just,only,some,all,way,side,effect,style,feel,feeling,lens,frame,framing,\
         shots,moves,movements,begin with,slowly please,can,could,have,there,entire,whole,full,main,interior,exterior,also,\
         kind,sort,type,nice,beautiful,perspective,axis,point,speed,pace,360,180,degree,degrees,half,quarter,seconds,second,\
         real estate,tour,vibe,action,path,line,straight,middle,centre,subject,ease,eased,easing,pure,simple,position,\
         distance,them,then slowly,direction,diagonal,operator,seamlessly,time,take,long,short,during,again,bit more,footage,\
         direction of,virtual,listing,using,use,hey,hi,thanks,thank you,which,while still,throughout,again please",
    ),
];
