//! English words of degree, negation and place, and words without effect.

use crate::photo::item::Item::{self, *};

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Degree(0.5),
        "slightly,slight,little,a little,little bit,a bit,bit,touch of,a touch,a tad,tad,hint of,a hint,somewhat,subtle,subtly,\
         gentle,gently,mild,mildly,small,light touch,lightly,moderately,moderate,minor,smidge,fraction,just a bit,half a stop,\
         notch,a notch,delicate,delicately,tiny bit,tiny,marginally,ever so,teeny,teensy,wee,smidgen,smidgeon,a pinch,pinch of,\
         pinch,hair,a hair,a shade,a drop,a dash,dash of,ever so slightly,a wee bit,not by much,nudge,a nudge,only a bit",
    ),
    (
        Degree(1.75),
        "very,much,a lot,lot,lots,strongly,strong,significantly,super,really,way,far,extremely,max,drastically,heavily,\
         considerably,dramatically,massively,ultra,quite a bit,substantially,maximum,majorly,significant,big,intense,fully,\
         completely,tons,loads,plenty,heavy,hugely,highly,aggressively,aggressive,loads of,heaps,heaps of,a whole lot,ton,\
         ton of,a ton,tons of,crazy,insanely,terribly,awfully,extremly,radically,vastly,total,totally,utterly,hella,soooo,sooo,\
         veeery,super duper,absolutely,incredibly,properly bright,massive",
    ),
    (More, "more,extra,additional,needs,some more,further,even more,greater"),
    (Less, "down,minus,decreased,less,fewer,lessen,not as,not so much,not that,not quite as,not so"),
    (
        Too,
        "too,overly,too much,excessively,way too,so,a bit too,a little too,far too,excessive,kind of too,overpowering,\
         a bit much,bit much,a little much,a bit a lot,soo,overly much,ridiculously,insanely too,far far too,ways too,to much,\
         wayyy too,waaay too,over much,hurt,hurts,hurt my eyes,hurts my eyes,hurt the eyes,hurts the eyes",
    ),
    (
        Unlike,
        "than reality,than in reality,than real life,than in real life,than in person,than it really is,than life,than it is,\
         than it was in reality,than actual,than it was",
    ),
    (Enough, "enough,very well,sufficiently"),
    (
        No,
        "should not,shouldnt,must not,mustnt,shall not,will not,wont,would not,wouldnt,need not,neednt,not necessary,\
         not needed,not required,is not necessary,is not needed,is not required,isnt necessary,isnt needed,unnecessary,\
         rather not,may not,sure it isnt,sure it is not,sure it doesnt,sure it does not,sure nothing,sure they arent,\
         not wanted,no,do not,dont,without,never,avoid,avoiding,not to,nothing,none,instead of,rather than,please dont,no more,\
         stop,doesnt need,no need,refrain,dont want,do not want,didnt want,shouldnt be,not any,arent to,isnt to,\
         under no circumstances,by no means,on no account,dont you dare,no one wants,nobody wants,neither,nor,minus the,\
         skip the,cant have,not allowed to,we may not,we cant,must never,i dont need,dont need,no such,rule out,nope,dnt,\
         dont ever,not supposed to,no thank you to",
    ),
    (
        Not,
        "not,is not,isnt,are not,arent,not quite,cant,cannot,lacks,lack,lacking,hardly,barely,wasnt,werent,doesnt,aint,\
         couldnt be,not really,far from,anything but,not very,nowhere near",
    ),
    (
        Excess,
        "overdo,overdone,overdoing,overprocess,overprocessed,over process,over processed,overedit,overedited,over edit,\
         over edited,over the top,go crazy,go overboard,overboard,overcook,overcooked,fake,artificial,unnatural,fake looking,\
         unrealistic,extreme,exaggerate,exaggerated,too much please,not too much,not much,not overly,keep it subtle,\
         keep subtle,hold back,restrained,conservative,conservatively,keep it light handed,over enhance,overbrighten,\
         over brighten,plastic,hdr ish,halos,halo,artifacts,nothing crazy,easy on,go easy,go easy on,heavy handed,filtered,\
         restraint,be careful,careful with,with restraint,in moderation,light handed,with a light hand,light hand,light edit,\
         keep it light,keep it minimal,minimal edit,minimal edits,minimalistic edit,keep it low key,discreet,discreetly,\
         keep it modest,modest,not excessive,dont go mad,go mad,go nuts,go wild,nothing wild,nothing fancy,no drama,\
         not over the top,dont push it,push it too far,too far,dont exaggerate,photoshopped,photoshoppy,ai look,ai looking,\
         look edited,looks edited,obviously edited,over do,ott,too obvious,obvious,keep it real,nothing extreme,less is more,\
         nothing radical,too much of it,no funny business,soft touch,easy does it,gently does it,in small doses,tastefully,\
         tasteful,unobtrusive,soberly,too dramatic,too radical,too aggressive,too heavy handed,too artificial,too extreme,\
         go easier on,easier on,go easier,lighter touch,no kitsch,not kitsch,without kitsch,no postcard kitsch,no kitschy,\
         no postcard,no cheesy,nothing kitschy,nothing cheesy,kein kitsch,keinen kitsch,ohne kitsch,pas de kitsch,sans kitsch,\
         sin kitsch",
    ),
    (Only, "just,only,just the,only the,solely"),
    (
        Anything,
        "anything,anything else,else,the rest,rest,everything else,other,any other,everything,all else,a thing,something else,\
         anything more,whatever else",
    ),
    (Where, "in,from,inside of,around,near,behind,on,throughout,across,at,under,above,outside of,where"),
    (
        Filler,
        "if,bc,u,r,ur,cuz,cos,tho,taken,render,same as last time,as last time,same as usual,as usual,same as before,same again,\
         the usual,two,three,couple,afternoon,morning,daytime shot,cloudy day,summery,summer,spring,phone,iphone,realtor,agent,\
         client,clients,seller,owner,wants,asked,because,since,got,clean lines,made in,surfaces,a,an,the,it,its,this,that,\
         these,those,is,are,was,be,please,pls,plz,make,makes,making,image,images,photo,photos,picture,pictures,pic,shot,shots,\
         room,rooms,house,home,property,look,looks,looking,some,bit of,of,with,whole,into,to,new,one,gray,grey,cloudy,give,\
         giving,feel,feels,feeling,vibe,mood,atmosphere,ambience,ambiance,effect,tone,toned,overall,can,could,would,you,we,i,\
         im,id,my,our,your,us,me,like,want,need,should,also,there,they,them,have,has,had,get,let,lets,so that,for,by,as,living,\
         living room,bedroom,kitchen,bathroom,dining room,hallway,hall,office,basement,garage,attic,entry,entrance,space,area,\
         areas,place,front,back,building,apartment,condo,unit,listing,real estate,lush,healthy,healthier,lights,patchy,few,\
         sure,ensure,im looking,thank you,day,daytime,daylight shot,result,version,style,setting,settings,percent,stop,stops,\
         ev,points,pretty,kind of,sort of,all,any,both,up,visible through,through,lamps,lamp,bulbs,bulb,light bulbs,came,come,\
         comes,turned,seems,seem,appears,appear,scene,much needed,wise,if possible,possible,maybe,perhaps,hey,hi,hello,ok,okay,\
         now,again,here,which,what,too see,do,does,did,apply,applied,yes,approximately,degrees,degree,about,greens,reds,clear,\
         exactly,files,file,neatly,throughout,curve,upper,set,correct amount,interior photos,too also,as well,well,shade,\
         shades,auto correct,general,edits,edit job,am,been,being,than,bring,go,going,bring it,made,still,right,today,\
         original photo,glass,mls,buyers,buyer,viewers,feelings,touches,slightly off,little off,bit off,off looking,midday,\
         not happy,not happy with,unhappy with,not satisfied with,dont like,do not like,didnt like,dislike,hate,hated,\
         disappointed with,last edit,last time,last version,previous version,previous edit,first version,this time,next time,\
         for instagram,for facebook,for airbnb,on airbnb,for zillow,for rightmove,for social media,on instagram,for website,\
         for brochure,for the portal,for print,for booking,for our listing,for listing,for tiktok,magazine like,guests,guest,\
         visitors,viewer,customers,customer,tenants see,people see,when they see it,see it,sorry,cheers,kindly,dear,hiya,yo,\
         hallo,greetings,regards,best regards,many thanks,much appreciated,appreciate it,ta,thx,tks,tnx,ty,done,that is all,\
         thats all,thats it,just saying,imo,imho,honestly,frankly,obviously,basically,actually,simply,literally,kinda,sorta,\
         gonna,wanna,gotta,lol,haha,omg,wow,damn,hmm,so please,shot on,shot with,taken with,taken on,taken by,my old iphone,\
         android,samsung,cell phone,mobile phone,mobile,smartphone,old phone,handheld,whole picture,entire picture,\
         entire photo,whole photo,whole image,entire image,whole thing,the lot,everything in it,throughout the image,\
         overall image,all over,all over the place,everywhere,in here,in this,in this one,in this picture,in this photo,\
         in the picture,one here,number,photo number,first one,second one,next one,help,can u,could u,would u,will you,\
         are you able to,is it possible to,possible to,id like,i would like,i want,we want,wed like,we would like,i need,\
         we need,would love,would be lovely,would be great,would be nice,be great,be nice,be lovely,be good,be cool,be perfect,\
         looking for,go for,aim for,after,something,somehow,anyway,anyhow,already,yet,rather,sitting room,lounge,den,nursery,\
         study,utility room,conservatory,loft,cellar,porch,hall way,landing,corridor,foyer,lobby,ensuite,en suite,\
         master bedroom,guest room,studio,villa,cottage,bungalow,flat,penthouse,duplex,townhouse,cabin,chalet,mansion,estate,\
         premises,facility,shop,store,restaurant,hotel room,suite,in reality,in real life,irl,in person,actually are,\
         really are,supposed to be,supposed to,meant to be,ought to,came out,turned out,comes across,comes out,reads,end up,\
         ended up,ends up,as it should,like it should,the way,easier,spots,full of,patch,patches,neon light,neon lights,\
         neon lamp,neon tube,neon tubes,my own,own grading,grading,grade it,grade myself,myself,grade it myself,as if,\
         as if it were,used to be,what they used to be,no expert,not an expert,not good with,not good at,computers,tubes,tube,\
         strip lights,led strips,strips,led,ok whatever,lol ok whatever,lol whatever,whatever lol,yeah whatever,hand me,\
         real colour,real color,keeps calling,keeps asking,keeps complaining,keeps saying,later,ill",
    ),
    (Yard, "yard,backyard,front yard,garden,front garden,back garden,gardens,outside area,grounds"),
];
