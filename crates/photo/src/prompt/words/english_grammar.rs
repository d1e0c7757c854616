//! English words of degree, negation and place, and words without effect.

use crate::prompt::item::Item::{self, *};

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Degree(0.5),
        "slightly,slight,little,a little,little bit,a bit,bit,touch of,a touch,a tad,tad,hint of,a hint,somewhat,subtle,\
         subtly,gentle,gently,mild,mildly,small,light touch,lightly,moderately,moderate,minor,smidge,fraction,just a bit,\
         half a stop,notch,a notch,delicate,delicately,tiny bit,tiny,marginally,ever so",
    ),
    (
        Degree(1.75),
        "very,much,a lot,lot,lots,strongly,strong,significantly,super,really,way,far,extremely,max,drastically,heavily,\
         considerably,dramatically,massively,ultra,quite a bit,substantially,maximum,majorly,significant,big,intense,fully,\
         completely,tons,loads,plenty,heavy,hugely,highly,aggressively,aggressive",
    ),
    (More, "more,extra,additional,needs,some more,further,even more,greater"),
    (Less, "down,minus,decreased,less,fewer,lessen,not as,not so much"),
    (
        Too,
        "too,overly,too much,excessively,way too,so,a bit too,a little too,far too,excessive,kind of too,overpowering,\
         a bit much,bit much,a little much,a bit a lot",
    ),
    (
        Unlike,
        "than reality,than in reality,than real life,than in real life,than in person,than it really is,than life",
    ),
    (Enough, "enough,very well,sufficiently"),
    (
        No,
        "should not,shouldnt,must not,mustnt,shall not,will not,wont,would not,wouldnt,need not,neednt,not necessary,\
         not needed,not required,is not necessary,is not needed,is not required,isnt necessary,isnt needed,unnecessary,\
         rather not,may not,sure it isnt,sure it is not,sure it doesnt,sure it does not,sure nothing,sure they arent,\
         not wanted,no,do not,dont,without,never,avoid,avoiding,not to,nothing,none,instead of,rather than,please dont,\
         no more,stop,doesnt need,no need,refrain",
    ),
    (Not, "not,is not,isnt,are not,arent,not quite,cant,cannot,lacks,lack,lacking,hardly,barely,wasnt,werent,doesnt"),
    (
        Excess,
        "overdo,overdone,overdoing,overprocess,overprocessed,over process,over processed,overedit,overedited,over edit,\
         over edited,over the top,go crazy,go overboard,overboard,overcook,overcooked,fake,artificial,unnatural,fake looking,\
         unrealistic,extreme,exaggerate,exaggerated,too much please,not too much,not much,not overly,keep it subtle,\
         keep subtle,hold back,restrained,conservative,conservatively,keep it light handed,over enhance,overbrighten,\
         over brighten,plastic,hdr ish,halos,halo,artifacts,nothing crazy,easy on,go easy,go easy on,heavy handed,filtered",
    ),
    (Only, "just,only,just the,only the,solely"),
    (Anything, "anything,anything else,else,the rest,rest,everything else,other,any other,everything,all else"),
    (Where, "in,from,inside of,around,near,behind,on,throughout,across,at,under,above,outside of,where"),
    (
        Filler,
        "if,bc,u,r,ur,cuz,cos,tho,taken,render,same as last time,as last time,same as usual,as usual,same as before,\
         same again,the usual,two,three,couple,afternoon,morning,daytime shot,cloudy day,summery,summer,spring,phone,iphone,\
         realtor,agent,client,clients,seller,owner,wants,asked,because,since,got,clean lines,made in,surfaces,a,an,the,it,its,\
         this,that,these,those,is,are,was,be,please,pls,plz,make,makes,making,image,images,photo,photos,picture,pictures,pic,\
         shot,shots,room,rooms,house,home,property,look,looks,looking,some,bit of,of,with,whole,into,to,new,one,gray,grey,\
         overcast,cloudy,give,giving,feel,feels,feeling,vibe,mood,atmosphere,ambience,ambiance,effect,tone,toned,overall,can,\
         could,would,you,we,i,im,id,my,our,your,us,me,like,want,need,should,also,there,they,them,have,has,had,get,let,lets,\
         so that,for,by,as,living,living room,bedroom,kitchen,bathroom,dining room,hallway,hall,office,basement,garage,attic,\
         entry,entrance,space,area,areas,place,yard,backyard,front yard,garden,front,back,building,apartment,condo,unit,\
         listing,real estate,lush,healthy,healthier,lights,patchy,few,sure,ensure,im looking,thank you,day,daytime,\
         daylight shot,result,version,style,setting,settings,percent,stop,stops,ev,points,pretty,kind of,sort of,all,any,both,\
         up,visible through,through,lamps,lamp,bulbs,bulb,light bulbs,came,come,comes,turned,seems,seem,appears,appear,scene,\
         much needed,wise,if possible,possible,maybe,perhaps,hey,hi,hello,ok,okay,now,again,here,which,what,too see,do,does,\
         did,apply,applied,yes,approximately,degrees,degree,about,greens,reds,clear,exactly,files,file,neatly,throughout,\
         curve,upper,set,correct amount,interior photos,too also,as well,well,shade,shades,auto correct,general,edits,\
         edit job,am,been,being,than,bring,go,going,bring it,made,still,right,today,original photo,glass,mls,buyers,buyer,\
         viewers,feelings,touches,slightly off,little off,bit off,off looking,weather,midday",
    ),
];
