//! German.

use crate::prompt::item::Item::{self, *};
use crate::prompt::item::Verb as Do;
use crate::prompt::request::Property as P;
use crate::prompt::request::Refusal as R;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Change(&[(P::Exposure, 1.0)]),
        "heller,aufhellen,erhellen,helle auf,hell auf,aufgehellt,lichtdurchflutet,aufhellung,mehr licht,helligkeit hoch",
    ),
    (Change(&[(P::Exposure, -1.0)]), "dunkler,abdunkeln,dunkle ab"),
    (Change(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]), "luftig,luftiger,hell und luftig"),
    (Change(&[(P::Warmth, 1.0)]), "wärmer,goldene stunde,gemütlicher"),
    (Change(&[(P::Warmth, -1.0)]), "kühler,kälter"),
    (Change(&[(P::Color, 1.0)]), "kräftiger,lebendiger,satter,bunter,leuchtender"),
    (Change(&[(P::Color, -1.0)]), "blasser,entsättigen"),
    (Change(&[(P::Sharpness, 1.0)]), "schärfer,schärfen,nachschärfen"),
    (Change(&[(P::Sharpness, -1.0)]), "weicher"),
    (Change(&[(P::Noise, 1.0)]), "entrauschen,rauschunterdrückung"),
    (Quality(&[(P::Exposure, 1.0)]), "hell,helle,helles,hellen"),
    (Quality(&[(P::Warmth, 1.0)]), "warme,warmes,warmen,gemütlich,einladend,wohnlich"),
    (Quality(&[(P::Warmth, -1.0)]), "kühl,kühle"),
    (Quality(&[(P::Color, 1.0)]), "lebendig,leuchtend,leuchtende,kräftig,kräftige,satte,farbenfroh"),
    (Quality(&[(P::Sharpness, 1.0)]), "scharf,knackig,gestochen scharf"),
    (Quality(&[(P::WhiteBalance, 1.0)]), "weiß,weiße,weißer,neutrale,neutraler"),
    (Quality(&[(P::Upright, 1.0)]), "gerade,senkrecht,waagerecht"),
    (
        Quality(&[(P::Natural, 1.0)]),
        "natürlich,natürliche,natürlicher,realistisch,professionell,professioneller,schöner,besser,optimieren,hochwertig,\
         freundlich,freundlicher,freundliche,schön,schöne,schönes,ansprechend,ansprechender",
    ),
    (Fault(&[(P::Exposure, 1.0)]), "dunkel,dunkle,dunkles,düster,unterbelichtet,finster"),
    (Fault(&[(P::Exposure, -1.0)]), "überbelichtet,grell,grelle,grelles"),
    (Fault(&[(P::Warmth, -1.0)]), "gelb,gelbe,gelblich,gelbstich,gelbstichig,orangestich"),
    (Fault(&[(P::Warmth, 1.0)]), "kalt,kalte,blaustich,blaustichig,bläulich,blau,blaue,blaues"),
    (Fault(&[(P::WhiteBalance, 1.0)]), "farbstich,grünstich,rotstich"),
    (Fault(&[(P::Contrast, 1.0), (P::Color, 1.0)]), "flau,matt,trist,ausgewaschen,fade,farblos"),
    (Fault(&[(P::Contrast, 1.0)]), "dunst,dunstig,neblig,nebel"),
    (Fault(&[(P::Sharpness, 1.0)]), "unscharf,verschwommen,unschärfe,verwackelt,unscharfe"),
    (Fault(&[(P::Noise, 1.0)]), "rauschen,bildrauschen,verrauscht,körnig,körnung,rauscht"),
    (Fault(&[(P::Upright, 1.0)]), "schief,schräg,stürzende linien,gekippt,verkippt,stürzende"),
    (Fault(&[(P::Highlights, 1.0)]), "ausgebrannt,ausgefressen,ausgefressene,überstrahlt"),
    (Property(P::Exposure), "helligkeit,belichtung"),
    (Property(P::Warmth), "wärme,farbtemperatur"),
    (Property(P::Contrast), "kontrast,kontraste,klarheit,kontrastreicher"),
    (Property(P::Color), "farbe,farben,sättigung,farbsättigung"),
    (Property(P::Sharpness), "schärfe,details"),
    (Property(P::Shadows), "schatten,tiefen,dunkle ecken,dunkle bereiche"),
    (Property(P::Highlights), "lichter,spitzlichter"),
    (Property(P::WhiteBalance), "weißabgleich"),
    (Property(P::Upright), "horizont,perspektive,vertikalen,senkrechten,linien"),
    (Property(P::Windows), "fenster,ausblick,aussicht,blick nach draußen,fensterausblick,fensteraussicht,fensterblick"),
    (Property(P::Sky), "himmel,blauer himmel,blauen himmel,sonnig,sonniger tag,schönes wetter"),
    (Property(P::Dusk), "dämmerung,abenddämmerung,sonnenuntergang,abendstimmung,blaue stunde,abend,abends"),
    (Property(P::Lawn), "rasen,gras,wiese,grüner rasen,grünen rasen"),
    (Property(P::Indoors), "innenaufnahme,innenraum"),
    (Property(P::Outdoors), "außenaufnahme,außenansicht,draußen"),
    (Task(P::Upright), "begradigen,ausrichten,gerade ausrichten,gerade rücken,entzerren"),
    (Light, "licht,tageslicht,beleuchtung"),
    (
        Verb(Do::Increase),
        "erhöhen,erhöhe,anheben,verstärken,steigern,hebe,stärker,betonen,erhöht,angehoben,verstärkt,verstärke,hochziehen",
    ),
    (Verb(Do::Decrease), "reduzieren,reduziere,verringern,absenken,senken,senke,abschwächen,mindern,dämpfen,schwächer"),
    (Verb(Do::Enhance), "verbessern,verbessere,verschönern,aufwerten"),
    (Verb(Do::Correct), "korrigieren,korrigiere,beheben,reparieren,korrektur,ausgleichen,korrigiert,richtig stellen"),
    (
        Verb(Do::Recover),
        "retten,wiederherstellen,zurückholen,sichtbar,zeigen,erkennbar,zu sehen,sichtbar machen,sieht man,sehen",
    ),
    (
        Verb(Do::Remove),
        "entfernen,entferne,weg,wegmachen,löschen,lösche,rausnehmen,wegretuschieren,retuschieren,raus,entfernt,wegnehmen,\
         rausretuschieren,wegzaubern,beseitigen,rausschneiden",
    ),
    (
        Verb(Do::Hide),
        "verstecken,verbergen,kaschieren,abdecken,vertuschen,verschwinden lassen,verschwinden,unsichtbar,überdecken",
    ),
    (
        Verb(Do::Add),
        "hinzufügen,einfügen,füge,dazu,ergänzen,reinstellen,hinstellen,dazustellen,aufstellen,platzieren,stellen,einsetzen",
    ),
    (Verb(Do::Replace), "ersetzen,ersetze,austauschen,tauschen,tausche,umwandeln,verwandeln"),
    (Verb(Do::Touch), "ändern,ändere,verändern,anfassen,bearbeiten,verändere"),
    (Verb(Do::Keep), "behalten,belassen,lassen,lass,bleiben,bleibt,beibehalten,erhalten,unverändert"),
    (Verb(Do::Stretch), "größer,geräumiger,vergrößern,weiter wirken,breiter,größer wirken,geräumig"),
    (
        Thing,
        "autos,wagen,personen,leute,menschen,mensch,stromleitung,stromleitungen,strommast,kabel,mülltonne,mülltonnen,müll,\
         möbel,stuhl,stühle,tisch,sofa,fernseher,hund,katze,schild,schilder,baum,bäume,spiegelung,spiegelungen,wasserzeichen,\
         blumen,pflanzen,schnee,fahrrad,kartons,gegenstände,pool,schwimmbad,couch,lampe,lampen,teppich,bett,bild an der wand,\
         bilder an der wand,grill,trampolin,wäsche,laub,spielzeug,gerüst,satellitenschüssel,strommasten,nachbarhaus",
    ),
    (
        Refused(R::Remove),
        "auto entfernen,auto weg,auto löschen,auto wegmachen,aufräumen,entrümpeln,aufgeräumt,leerräumen",
    ),
    (Surface, "wand,wände,decke,boden,schränke,fassade,dach,tür,türen,grundriss,wänden,arbeitsplatte"),
    (Damage, "riss,risse,loch,löcher,fleck,flecken,schaden,schäden,schimmel,kratzer,wasserfleck"),
    (Refused(R::Add), "einrichten,möblieren,virtuell möblieren"),
    (Refused(R::Alter), "streichen,renovieren,wandfarbe,umgestalten"),
    (
        Refused(R::Lights),
        "licht einschalten,lichter einschalten,licht an,lampen einschalten,licht anmachen,kaminfeuer,lichter an",
    ),
    (Refused(R::TimeOfDay), "nacht,nachts,nachtaufnahme,sternenhimmel"),
    (Refused(R::Style), "schwarzweiß,schwarz weiß,gemälde,zeichnung"),
    (Refused(R::Frame), "zuschneiden,beschneiden,drehen,spiegeln,skalieren"),
    (Refused(R::Blur), "weichzeichnen,unkenntlich machen,verpixeln,hintergrund unscharf"),
    (Refused(R::Resolution), "hochskalieren,auflösung"),
    (Degree(0.5), "etwas,leicht,ein wenig,wenig,ein bisschen,bisschen,dezent,minimal,sanft,leichte"),
    (Degree(1.75), "sehr,viel,stark,deutlich,richtig,erheblich"),
    (More, "mehr"),
    (Less, "weniger"),
    (Too, "zu,zu viel,allzu"),
    (Enough, "genug"),
    (
        No,
        "keinesfalls,nie,statt,anstatt,auf keinen fall,nicht nötig,kein,keine,keinen,keinem,ohne,niemals,nichts,nicht",
    ),
    (Excess, "übertreiben,übertrieben,künstlich,unnatürlich,nicht übertreiben,nicht zu stark"),
    (Only, "nur"),
    (Anything, "alles andere,sonst"),
    (Where, "im,vom,aus,auf,hinter,an,am"),
    (
        Filler,
        "wirken lassen,aussehen lassen,erscheinen lassen,lass wirken,sein,werden,wird,sind zu,könnt ihr,können sie,ihr,sie,\
         das,der,den,dem,des,ein,eine,einen,einer,mach,mache,machen,bitte,bild,foto,aufnahme,es,ist,sind,wirkt,wirken,\
         aussehen,zimmer,raum,räume,haus,wohnung,wohnzimmer,küche,bad,schlafzimmer,garten,ganz,insgesamt,soll,sollte,sollen,\
         sieht,mit,für,und,auch,noch,von,vor,zum,zur,neuer,neuen,neues,stimmung,grüner,blauer,auto bitte,mir,grauer,grauen,\
         einfach,hinzu,in,alle,rein,lasse",
    ),
];
