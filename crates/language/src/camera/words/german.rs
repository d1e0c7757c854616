//! German.

use crate::camera::item::CameraMove as M;
use crate::camera::item::Direction as To;
use crate::camera::item::Item::{self, *};
use crate::camera::item::Refusal as R;
use crate::camera::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "heranfahren,reinzoomen,hineinzoomen,heranzoomen,hineinfahren,näher kommen,näher ran,näher,kamerafahrt vorwärts,\
         zoom rein,hineingehen,heran,ran,näher heran,näher dran,dichter,dichter ran,dichter heran,ranzoomen,rangehen,vorfahren,\
         nach vorne fahren,vorwärtsfahrt,vorwärts fahren,zufahrt,zufahren,annähern,nähern,nähert,nähere,annäherung,reinfahren,\
         reingehen,hereinfahren,eintreten,tritt ein,betreten,betritt,hineintreten,eintauchen,ins zimmer,in den raum,dolly in,\
         ranrücken,hinfahren,hingehen,hinzoomen,zoom auf,auf etwas zu,aufs haus zu,vorwärtsbewegung,push in,zoome ran,zoom in",
    ),
    (
        Moves(&[M::PullOut]),
        "rauszoomen,herauszoomen,zurückfahren,wegfahren,herausfahren,entfernt sich,zoom raus,zurückziehen,wegzoomen,rausgehen,\
         rückwärtsfahrt,rückwärts fahren,entfernen sich,entfernt,weiter weg,abstand,mehr abstand,rausfahren,zurücksetzen,\
         zurückweichen,zurück weichen,zurück fahren,zurückzoomen,herausziehen,aufziehen,zieht auf,zieht sich zurück,\
         totale öffnen,weggehen,entfernt sich langsam,rückfahrt,rückzug,rückwärtsbewegung,dolly out",
    ),
    (
        Moves(&[M::TiltUp]),
        "nach oben schwenken,schwenk nach oben,hochschwenken,hochschauen,nach oben schauen,nach oben blicken,blick nach oben,\
         hochblicken,nach oben neigen,nach oben kippen,aufblicken,schwenk hoch,schwenk an die decke,zur decke schauen,\
         zur decke schwenken,zur decke blicken,an die decke schauen,hinaufschauen,hoch zur decke",
    ),
    (
        Moves(&[M::TiltDown]),
        "nach unten schwenken,schwenk nach unten,nach unten schauen,nach unten blicken,blick nach unten,runterschauen,\
         runterblicken,nach unten neigen,nach unten kippen,herunterschauen,schwenk runter,schwenk zum boden,\
         zum boden schwenken,auf den boden schauen,zum boden schauen,runterschwenken,herunterschwenken,hinabschauen",
    ),
    (
        Moves(&[M::Hold]),
        "bleibt stehen,standbild,statisch,statische,stillstehen,keine bewegung,stativ,feststehend,unbewegt,ohne bewegung,\
         nicht bewegen,fixe kamera,keine kamerabewegung,gar keine bewegung,kamera steht,still,stillstand,stehen bleiben,\
         stehenbleiben,ruhig stehen,stehen lassen,einfach stehen,fixiert,fixe einstellung,feste kamera,feste einstellung,fest,\
         standfoto,auf stativ,vom stativ,auf dem stativ,bewegungslos,reglos,regungslos,unbeweglich,starr,starre kamera,\
         nichts bewegen,nichts bewegt,nicht bewegt,soll sich nichts bewegen,stehende kamera,kamera bleibt,bleibt wo sie ist,\
         an ort und stelle,eingefroren,einfrieren,standaufnahme,ganz still,stillhalten,kein kameraschwenk keine bewegung",
    ),
    (
        Moves(&[M::FlyThrough]),
        "durchfliegen,hindurchfliegen,durchflug,drohne durch,drohnenflug durch,flug durch,durchs haus fliegen,fliegt durchs,\
         fliegt durch,fliegen durch,hindurch fliegen,fpv flug,fpv drohne,renndrohne",
    ),
    (
        Moves(&[M::Reveal]),
        "enthüllen,enthüllt,enthüllung,aufdecken,freigeben,zum vorschein bringen,zum vorschein,offenbaren,offenbart,auftauchen,\
         hinter der tür hervor,hervorkommen,sichtbar werden",
    ),
    (Usual(&[M::PushIn, M::Rise]), "drohne,drohnenflug,luftaufnahme,drohnenaufnahme,überflug"),
    (
        Verb(Do::Go),
        "fahren,fährt,kamerafahrt,fahrt,fahre,bewegen,bewegt,gleiten,gleitet,schweben,schwebt,geht,gehen,bewegung,gleite,\
         schwebe,fahr,geh,lauf,laufen,läuft,wandern,wandert,rollen,rollt,ziehe,ziehen,zieht,bringe,bringen,rücken,kommen,kommt,\
         komm,bewege,kamera bewegung",
    ),
    (Verb(Do::Zoom), "zoomen,zoomt,zoome,zoom"),
    (
        Verb(Do::Pan),
        "schwenken,schwenk,schwenkt,kameraschwenk,schwenke,panorama,panoramaschwenk,rundumschwenk,rundblick,umschauen,umsehen,\
         umblick,schwenken sie,querschwenk,schwenkbewegung",
    ),
    (
        Verb(Do::Look),
        "drehen,dreht,schauen,schaut,drehe,blicken,blickt,blick,blicke,guck,gucken,guckt,kuck,schau,wenden,wendet,kopf drehen,\
         dreh,drehung,richten,richtet",
    ),
    (Verb(Do::Tilt), "neigen,neigt,kippen,kippt,neige,kippe,neigung,neig"),
    (
        Verb(Do::Crane),
        "steigen,steigt,aufsteigen,heben,hebt,hochfahren,kranfahrt,steigt auf,hebt sich,kran,kranschuss,kranaufnahme,\
         kranbewegung,hochsteigen,hochgehen,hochfliegen,emporsteigen,emporschweben,aufwärtsfahrt,abheben,hebt ab,abhebt,\
         emporheben,anheben,hebe,erhebt sich,steige,steigend,hochziehen,senkrecht nach oben,vertikal nach oben,hinaufsteigen,\
         aufstieg",
    ),
    (
        Verb(Do::Sink),
        "senken,senkt,absenken,sinken,sinkt,herunterfahren,senke,absinken,sinkt ab,tiefer,tiefer gehen,runtergehen,hinabfahren,\
         hinunterfahren,abwärtsfahrt,runterfahren,herabsenken,herabsinken,landen,landet,absteigen,nach unten fahren,sinkend,\
         herabfahren",
    ),
    (
        Verb(Do::Orbit),
        "kreisen,umkreisen,umkreist,kreist,umrunden,kreisfahrt,bogen,umfahren,umfährt,umfliegen,umfliegt,umkreise,umrunde,\
         umrundet,umrundung,kreise,kreis,halbkreis,im halbkreis,im kreis,im bogen,halbkreisfahrt,kreisförmig,rundherum,\
         drumherum,rundfahrt,drumrum,orbit,einmal herum,um den tisch herum,herumfahren,umlaufen,bogenfahrt,kreisbewegung,rundum",
    ),
    (
        Direction(To::In),
        "vorwärts,vor,vorn,vorne,hinein,rein,zum,zur,auf,in,ins,hin,nach vorn,nach vorne,drauf zu,darauf zu,nach drinnen,aufs,\
         ans,vorwaerts,herein",
    ),
    (Direction(To::Out), "zurück,rückwärts,weg,hinaus,raus,nach hinten,heraus,hinweg,fort,raus aus,weg von"),
    (Direction(To::Left), "links,nach links,linke seite,linken seite,linksrum,links herum,nach links rüber,linkerhand"),
    (Direction(To::Right), "rechts,nach rechts,rechte seite,rechten seite,rechtsrum,rechts herum,rechterhand"),
    (
        Direction(To::Up),
        "oben,hoch,aufwärts,hinauf,nach oben,über,rauf,herauf,in die höhe,empor,aufwaerts,senkrecht hoch",
    ),
    (Direction(To::Down), "unten,runter,abwärts,hinunter,nach unten,herunter,herab,hinab,zu boden,in die tiefe"),
    (Direction(To::Rightward), "von links nach rechts"),
    (Direction(To::Leftward), "von rechts nach links"),
    (Direction(To::Around), "um,herum"),
    (Direction(To::Across), "quer,entlang,vorbei,vorüber,parallel,hinüber,rüber"),
    (Direction(To::Clockwise), "im uhrzeigersinn"),
    (Direction(To::Counterclockwise), "gegen den uhrzeigersinn"),
    (
        Manner(0.65),
        "langsam,langsame,langsamer,sanft,sanfte,sanfter,ruhig,ruhige,gemächlich,ruhiger,allmählich,behutsam,langsames,\
         langsamen,langsamere,gemütlich,gemütlicher,gemach,bedächtig,sachte,sacht,entspannt,entspannter,lahm,lahme,träge,\
         ruhiges,ruhigen,in ruhe,behutsamer,schleichend,zeitlupe,in zeitlupe,beruhigend,sanftes,sanften,vorsichtig,gelassen,\
         zart,ohne hektik,ohne eile,ohne hast,schön langsam,ganz langsam,etwas ruhiger,weniger hektisch,schleichen,kriechend,\
         im schneckentempo,schneckentempo,verträumt,gaaanz langsam,schwebend,schwebende,schwebender",
    ),
    (
        Manner(0.5),
        "leicht,leichte,leichter,dezent,minimal,kaum,ein bisschen,bisschen,ein wenig,etwas,wenig,subtil,unmerklich,\
         kaum merklich,dezenter,dezente,minimale,minimaler,hauch",
    ),
    (
        Manner(1.0),
        "gleichmäßig,weich,filmisch,elegant,fließend,stabil,flüssig,flüssige,geschmeidig,smooth,cinematisch,kinoreif,\
         wie im kino,stabile,ruckelfrei,hochwertig,edel,gleichmäßige,gleichmäßiger,konstant",
    ),
    (
        Manner(1.3),
        "schnell,schnelle,schneller,rasch,dynamisch,dynamische,mit schwung,schwungvoll,schwungvoller,schwung,zügig,zügiger,\
         flott,flotter,rasant,rasante,rasanter,temporeich,tempo,mehr tempo,mit tempo,mehr schwung,hektisch,eilig,energisch,\
         energiegeladen,lebhaft,lebendig,schnelles,schnellen,dynamischer,dynamisches,dynamik,mehr dynamik,fix,blitzschnell,\
         spritzig,peppig,mehr action,action,turbo,hastig,beschwingt",
    ),
    (
        Manner(1.4),
        "dramatisch,dramatische,kräftig,dramatischer,dramatisches,spektakulär,spektakuläre,wild,wilder,wilde,heftig,heftiger,\
         krass,extrem,extremer,stark,eindrucksvoll,imposant,wuchtig,episch,beeindruckend,übertrieben",
    ),
    (
        Very,
        "sehr,ganz,richtig,besonders,super,echt,extra,recht,ziemlich,total,viel,deutlich,mega,wesentlich,äußerst,schön",
    ),
    (Too, "zu,allzu,viel zu,zu sehr,etwas zu,ein bisschen zu,so"),
    (Less, "weniger"),
    (
        No,
        "ohne,nie,niemals,keinesfalls,keinerlei,statt,anstatt,weder,vermeiden,vermeide,kein,keine,nicht,keinen,bloß nicht,\
         bloß kein,bloß keine,auf keinen fall,ja nicht,gar nicht,nix,nichts,nimmer,bitte nicht,bitte kein,bitte keine,\
         nicht mehr,verzichte auf,keines,keinem,keiner,will keine,will kein,möchte keine,möchte kein",
    ),
    (
        Refused(R::Shake),
        "handkamera,wackeln,wackelig,verwackelt,wackelkamera,wackler,wackelt,wackelnde,verwackelte,zittrig,zittern,zitternd,\
         handgehalten,aus der hand,freihand,ruckelig,ruckeln,schwankend,schwanken,vlog stil,gewackel,ruckartig,holprig,unruhig,\
         unruhige,schütteln",
    ),
    (
        Refused(R::Focus),
        "unschärfe,tiefenschärfe,unscharf,schärfeverlagerung,fokus,fokus verlagern,fokuswechsel,fokusfahrt,schärfe ziehen,\
         schärfe verlagern,hintergrund unscharf,hintergrund verschwommen,verschwommen,unscharfer,unschärfer,weichzeichnen,\
         geringe schärfentiefe,schärfentiefe,bokeh,scharfstellen,fokussieren von,freistellen",
    ),
    (
        Refused(R::Motion),
        "menschen,leute,zeitraffer,vorhänge,wolken,personen,person,kinder,kind,hund,katze,jemand,frau,läuft durchs bild,wind,\
         im wind,wehen,wehen im wind,weht,bäume bewegen,bäume im wind,bäume sollen,blätter,blätter bewegen,wasser,wellen,\
         wasser bewegt,wasser kräuselt,kräuseln,plätschern,plätschert,fließen,fließt,fließendes,wolken ziehen,ziehende wolken,\
         sonne geht,sonne geht unter,sonnenuntergang zeitraffer,tag zu nacht,tag wird nacht,es wird nacht,licht an,\
         lichter gehen an,licht geht an,lampen gehen an,licht einschalten,kaminfeuer,feuer,feuer brennt,flackern,flackert,\
         brennen,brennt,kerzen,rauch,dampf,regen,regnen,schnee,schneien,auto fährt,autos fahren,vögel fliegen,vögel,vogel,\
         tür öffnet,tür geht auf,türen öffnen,tür öffnen,vorhang,gardinen,gardine,flattern,flattert,lebendig werden,zum leben,\
         bewegte wolken,ventilator,ventilator dreht,gras wiegt,tanzen,winken,personen laufen,leute laufen,schwimmen,schwimmt",
    ),
    (
        Refused(R::Sound),
        "musik,ton,geräusch,geräusche,hintergrundmusik,sound,soundeffekte,klaviermusik,lied,song,stimme,sprecher,sprecherin,\
         vogelgezwitscher,zwitschern,vogelstimmen,gezwitscher,melodie,vertonen,vertonung,audio,kommentar,gesprochen,erzähler,\
         beat,klang,klänge,meeresrauschen,knistern,musikalisch,untermalen,unterlegen,stumm,klavier im hintergrund,\
         sanftes klavier,klavierspiel",
    ),
    (
        Refused(R::Add),
        "hinzufügen,entfernen,füge,einfügen,ergänzen,text,schrift,schriftzug,titel,untertitel,logo,preis,preisschild,\
         wasserzeichen,einblenden,einblendung,möbel,einrichten,möblieren,ein auto,hinstellen,reinstellen,dazustellen,\
         pool hinzu,ersetzen,austauschen,löschen,wegmachen,wegretuschieren,weg retuschieren,telefonnummer,kontaktdaten,grafik,\
         pfeil,pfeile,makler ins bild,firmenlogo,weihnachtsbaum,luftballons,feuerwerk",
    ),
    (
        Refused(R::View),
        "vogelperspektive,von oben,hinter der tür,hinter dem haus,hinter die tür,hinter das haus,was dahinter ist,dahinter,\
         rückseite,andere zimmer,anderes zimmer,andere räume,anderen zimmer,anderes schlafzimmer,nebenzimmer,nachbarzimmer,\
         nächstes zimmer,nächster raum,nebenraum,obergeschoss,um die ecke,rest der wohnung,rest vom haus,andere seite,\
         anderer winkel,andere perspektive,anderen winkel,anderer blickwinkel,draufsicht,luftbild von oben,drohne von oben,\
         senkrecht von oben,froschperspektive,von unten,von hinten,von außen,gegenüberliegende,hinter uns,satellitenbild,\
         adlerperspektive,von der straße,nebenan,zimmer nebenan,raum nebenan",
    ),
    (
        Target,
        "am,an,beim,vom,von,richtung,bis,gegenüber,neben,zwischen,unter,hinter dem,im,wie,als,damit,sodass,so dass,bis zum,\
         bis zur,bis zu",
    ),
    (
        Showing,
        "zeigen,zeigt,zeige,zeig,man sieht,alles sieht,sieht man,sehen,zu sehen,präsentieren,präsentiert,hervorheben,sieht,\
         erkennt",
    ),
    (
        Filler,
        "die,der,das,den,dem,ein,eine,einen,einer,kamera,bitte,sich,aufnahme,raum,zimmer,haus,wohnzimmer,küche,fenster,tür,\
         nach,bild,ist,wird,es,mal,doch,halt,eben,also,ja,ach,einfach,nur,gerne,gern,danke,vielen dank,hallo,hi,moin,guten tag,\
         würde,würdet,kann,könnt,könnte,könnten,könntet,kannst,können,ihr,du,sie,wir,ich,man,uns,mir,hätte,hätten,hätte gern,\
         haben,habe,hat,möchte,möchten,soll,sollte,sollen,werden,wäre,will,wollen,bräuchte,brauche,mach,mache,machen,macht,\
         lass,lasse,lassen,gib,geben,video,clip,film,fotos,foto,schlafzimmer,badezimmer,bad,flur,garten,terrasse,balkon,kamin,\
         tisch,esstisch,sofa,bett,couch,insel,kücheninsel,treppe,wohnung,gebäude,villa,eingang,haustür,fassade,panoramafenster,\
         auch,dabei,dann,da,dort,hier,diesmal,dieses mal,letzte,letztes mal,letzten,letzter clip,nochmal,wieder,so etwas wie,\
         so wie,art,stil,einmal,sicht,perspektive,weiter,liebes team,lg,mfg,grüße,wirkung,effekt,wirken,stimmung,gefühl,\
         atmosphäre,ding,teil,seite,mitte,szene,ganze,ganzen,gesamte,gesamten,alles,ins bild,im bild,einem,eines,ne,nen,meine,\
         unsere,unser,zimmers,hauses,raumes,mehr sehen,überhaupt,auf augenhöhe,auf tischhöhe",
    ),
    (
        Moves(&[M::DollyZoom]),
        "vertigo effekt,hitchcock effekt,dollyzoom,vertigoeffekt,hitchcockzoom,hitchcock zoom,dolly zoom effekt",
    ),
    (
        Verb(Do::Parallax),
        "tiefenwirkung,tiefe,mehr tiefe,räumlich,räumliche wirkung,räumlichkeit,3d effekt,3d wirkung,tiefeneffekt,parallaxe,\
         parallax effekt,parallaxeneffekt,parallaxeffekt,dreidimensional,dreidimensionaler,plastisch,plastischer,räumlicher,\
         3d foto,3d bild,raumtiefe",
    ),
    (Verb(Do::Fly), "fliegen,fliegt,fliege,flieg,flug,drohnenflug hinein"),
    (
        Verb(Do::Slide),
        "seitlich,seitwärts,seitlich fahren,seitfahrt,parallelfahrt,querfahrt,seitwärtsfahrt,schieben,schiebt,slider,\
         sliderfahrt,auf schienen,schienenfahrt,dollyfahrt,seitliche fahrt,seitliche bewegung,verschieben,parallel verschieben",
    ),
    (Direction(To::Through), "durch,durchs,hindurch"),
    (
        High,
        "decke,zimmerdecke,dach,kronleuchter,dachbalken,balken,himmel,deckenlampe,dachfirst,giebel,deckenleuchte,stuck",
    ),
    (Low, "boden,fußboden,parkett,teppich,fliesen,rasen,erdboden,dielen,fliesenboden"),
    (Wide, "weit,totale,weitwinkel,übersicht,totalen,zur totalen"),
    (Close, "nah,nahaufnahme,detail,großaufnahme,detailaufnahme,vom detail"),
    (Start, "anfangen,beginnen,beginne,starten,starte,start,zuerst,anfangs,erst,beginnt,fang an,startet,beginn"),
    (
        End,
        "ende,enden,endet,stopp,stoppen,anhalten,am ende,am schluss,schließlich,zum schluss,bis man alles sieht,bis alles",
    ),
    (
        Refused(R::Roll),
        "rolle,rollen um,fassrolle,schräger horizont,schräge kamera,schief,kopfüber,überkopf,überschlag,salto,\
         drehen um die eigene achse,um die eigene achse,pirouette,auf den kopf",
    ),
    (
        Refused(R::Grade),
        "heller,dunkler,wärmer,kühler,farben,farbe,bunter,sättigung,kontrast,schwarzweiß,schwarz weiß,sepia,helligkeit,\
         aufhellen,abdunkeln,wärmeres licht,warmes licht,abendlicht,sonnenuntergang,nacht,nachts,abendstimmung,goldene stunde,\
         dämmerung,mehr licht,kräftige farben,kräftigere farben,lebendige farben,leuchtende farben,gelb,weniger gelb,blauer himmel,grüner rasen,filter,farbfilter,filmlook,belichtung,schärfer,\
         gemütliches licht,filmkorn,vintage,weißabgleich,hdr,4k,sonniger,beleuchtung",
    ),
    (
        Refused(R::Cut),
        "schnitt,schnitte,mehrere einstellungen,verschiedene einstellungen,mehrere perspektiven,verschiedene perspektiven,\
         mehrere kameras,überblendung,überblenden,blende,ausblenden,abblenden,aufblenden,schwarzblende,schleife,endlosschleife,\
         dauerschleife,wiederholen,übergang,übergänge,hin und her,vor und zurück,rückwärts abspielen,zeitraffer schnitt,\
         szenenwechsel,umschnitt,erst langsam dann schnell,immer schneller,beschleunigen,vorher nachher,diashow,wechsel zum,\
         wechsel ins,splitscreen,slideshow",
    ),
    (
        Rapid(&[M::FlyThrough]),
        "rennt durch,durchsausen,durchrasen,rast durch,rasen durch,saust durch,sausen durch,düst durch,flitzt durch",
    ),
];
