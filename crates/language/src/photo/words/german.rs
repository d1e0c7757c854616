//! German.

use crate::photo::item::Item::{self, *};
use crate::photo::item::Verb as Do;
use crate::photo::request::Property as P;
use crate::photo::request::Refusal as R;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Change(&[(P::Exposure, 1.0)]),
        "heller,aufhellen,erhellen,helle auf,hell auf,aufgehellt,lichtdurchflutet,aufhellung,mehr licht,helligkeit hoch,\
         aufhellt,heller machen,etwas heller,belichten,mehr helligkeit,hellmachen,hell machen,aufgehellte,erleuchten,\
         licht rein,licht reinlassen,helligkeit rauf,lichter machen,höher belichten,heller belichten,besser ausleuchten,\
         ausleuchten,leuchtet aus,bild heller",
    ),
    (
        Change(&[(P::Exposure, -1.0)]),
        "dunkler,abdunkeln,dunkle ab,dunkler machen,verdunkeln,weniger licht,weniger hell,weniger helligkeit,helligkeit runter,\
         helligkeit reduzieren,weniger belichten,abdunkelung",
    ),
    (
        Change(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]),
        "luftig,luftiger,hell und luftig,licht und luftig,hell luftig,lichter und luftiger",
    ),
    (
        Change(&[(P::Warmth, 1.0)]),
        "wärmer,goldene stunde,gemütlicher,wärme,heimeliger,wohnlicher,behaglicher,einladender,mehr wärme,wärmere,wärmeres,\
         wärmeren,kuscheliger,freundlicher und wärmer,aufwärmen,erwärmen,goldene stimmung",
    ),
    (Change(&[(P::Warmth, -1.0)]), "kühler,kälter,weniger warm,kühlere,kältere,abkühlen,kühleres"),
    (
        Change(&[(P::Color, 1.0)]),
        "kräftiger,lebendiger,satter,bunter,leuchtender,farbiger,farbenfroher,kräftigere,kräftigere farben,sattere,\
         leuchtendere,farbintensiver,intensiver,intensivere,lebhafter,lebhaftere,mehr farbe,frischere farben,stärkere farben,\
         strahlender",
    ),
    (
        Change(&[(P::Color, -1.0)]),
        "blasser,entsättigen,weniger bunt,weniger knallig,weniger gesättigt,weniger kräftig,weniger grell,dezentere farben,\
         gedeckter,gedecktere,dezenter,blassere,entsättigt,weniger farbe,ruhigere farben,weniger intensiv,weniger leuchtend",
    ),
    (
        Change(&[(P::Sharpness, 1.0)]),
        "schärfer,schärfen,nachschärfen,schärfere,nachgeschärft,schärfe nach,scharfzeichnen,mehr schärfe,mehr details,\
         schärfer machen,klarer und schärfer,scharfstellen",
    ),
    (Change(&[(P::Sharpness, -1.0)]), "weicher,weniger scharf,weniger schärfe,weichere"),
    (
        Change(&[(P::Noise, 1.0)]),
        "entrauschen,rauschunterdrückung,rauschfrei,rauschreduzierung,rauschen raus,rauschen weg,entrauscht,körnung weg,\
         weniger rauschen,weniger körnung,rauschreduktion,rauschen minimieren,störungen weg",
    ),
    (Quality(&[(P::Exposure, 1.0)]), "hell,helle,helles,hellen,lichtdurchflutete,strahlend hell,taghell"),
    (
        Quality(&[(P::Warmth, 1.0)]),
        "warme,warmes,warmen,gemütlich,einladend,wohnlich,heimelig,behaglich,kuschelig,warm,gemütliche,gemütlicher look,wohlig,\
         wohlfühlen,wohlfühlatmosphäre,einladende,zum wohlfühlen,anheimelnd",
    ),
    (Quality(&[(P::Warmth, -1.0)]), "kühl,kühle"),
    (
        Quality(&[(P::Color, 1.0)]),
        "lebendig,leuchtend,leuchtende,kräftig,kräftige,satte,farbenfroh,bunt,farbintensiv,knallig,knallige farben,\
         kräftige farben,leuchtende farben,satte farben,frische farben",
    ),
    (
        Quality(&[(P::Sharpness, 1.0)]),
        "scharf,knackig,gestochen scharf,knackscharf,gestochen,messerscharf,rasiermesserscharf,detailreich,detailliert,brillant",
    ),
    (
        Quality(&[(P::WhiteBalance, 1.0)]),
        "weiß,weiße,weißer,neutrale,neutraler,weiße wände,neutral,farbneutral,reinweiß,weißes,weiss",
    ),
    (
        Quality(&[(P::Upright, 1.0)]),
        "gerade,senkrecht,waagerecht,lotrecht,lot,im lot,wasserwaage,grade,gerade linien,geraden,waagrecht,aufrecht",
    ),
    (
        Quality(&[(P::Natural, 1.0)]),
        "natürlich,natürliche,natürlicher,realistisch,professionell,professioneller,schöner,besser,optimieren,hochwertig,\
         freundlich,freundlicher,freundliche,schön,schöne,schönes,ansprechend,ansprechender,wirklichkeitsgetreu,\
         wahrheitsgetreu,realitätsnah,realitätsgetreu,naturgetreu,echt,authentisch,hübsch,hübscher,toll,top,super aussehen,\
         edel,edler,stilvoll,präsentabel,vorzeigbar,verkaufsfördernd,hübsch machen,schön machen,aufhübschen,aufpeppen,\
         hochwertiger,optimal,profi,profihaft,wie vom profi,perfekt,ordentlich,gut,gut aussehen,exposé,wie in echt,frisch,\
         frischer,modern,nett,attraktiv,attraktiver,ansehnlich,das beste,beste",
    ),
    (
        Fault(&[(P::Exposure, 1.0)]),
        "dunkel,dunkle,dunkles,düster,unterbelichtet,finster,stockdunkel,stockfinster,zappenduster,duster,dustere,trübe,\
         schummrig,schummerig,höhle,wie eine höhle,keller,wie im keller,wie in einer höhle,schattig,lichtarm,dämmrig,\
         unterbelichtung,zu wenig licht,wenig licht,kaum licht,schlechtes licht,schlecht beleuchtet,düstere,finstere,\
         dunkler als,schwarz",
    ),
    (
        Fault(&[(P::Exposure, -1.0)]),
        "überbelichtet,grell,grelle,grelles,zu hell,überbelichtung,blendet,blendend,gleißend,viel zu hell,zu viel licht,\
         verblitzt",
    ),
    (
        Fault(&[(P::Warmth, -1.0)]),
        "gelb,gelbe,gelblich,gelbstich,gelbstichig,orangestich,gelbstiche,orange,orangefarben,orangestichig,vergilbt,\
         gelblicher,gelbliches,gelbliche,zu warm,warmstich,gelbton,gelbtöne,orangeton,orangetöne,rötlich gelb,glühbirnen gelb,\
         kunstlicht,glühbirnen,glühlampen",
    ),
    (
        Fault(&[(P::Warmth, 1.0)]),
        "kalt,kalte,blaustich,blaustichig,bläulich,blau,blaue,blaues,blaustichige,bläuliche,bläuliches,blauton,blautöne,steril,\
         sterile,klinisch,ungemütlich,eiskalt,frostig,krankenhaus,wie im krankenhaus,kühl wirkend,kaltes,kalter,kaltes licht,\
         zu kühl,eisig",
    ),
    (
        Fault(&[(P::WhiteBalance, 1.0)]),
        "farbstich,grünstich,rotstich,farbstichig,stichig,grünlich,grünliche,rötlich,rosastich,rosa,magentastich,violett,lila,\
         lilastich,pinkstich,grünstichig,rotstichig,stich,falsche farben,farben stimmen nicht,verfälschte farben,\
         komische farben,unnatürliche farben,mischlicht,cyanstich,türkisstich,grün raus,grün weg,grün entfernen,\
         grün rausnehmen,rot raus,rot weg,rot rausnehmen",
    ),
    (
        Fault(&[(P::Contrast, 1.0), (P::Color, 1.0)]),
        "flau,matt,trist,ausgewaschen,fade,farblos,langweilig,öde,fahl,blass,blasse,kraftlos,leblos,lasch,trostlos,verwaschen,\
         ausgeblichen,verblichen,ausgewaschene,farbarm,stumpf,ohne pep,lahm,dröge,nichtssagend,matte,trübe farben,fader,\
         schwach,kraftlose",
    ),
    (
        Fault(&[(P::Contrast, 1.0)]),
        "dunst,dunstig,neblig,nebel,diesig,dunstschleier,schleier,milchig,kontrastarm,zu wenig kontrast,nebelig,vernebelt,\
         kontrastlos",
    ),
    (
        Fault(&[(P::Sharpness, 1.0)]),
        "unscharf,verschwommen,unschärfe,verwackelt,unscharfe,unschärfer,verschwommenes,verschwommene,wackelig,matschig,\
         schwammig,vermatscht,nicht scharf,weichgezeichnet,verwischt,weich,fokus sitzt nicht,fokus daneben,fokus nicht,\
         fokus stimmt nicht,fokus falsch",
    ),
    (
        Fault(&[(P::Noise, 1.0)]),
        "rauschen,bildrauschen,verrauscht,körnig,körnung,rauscht,verrauschte,grieselig,griesel,grießig,grieseln,pixelig,\
         körnige,grobkörnig,iso rauschen,farbrauschen,bildstörungen,krisselig",
    ),
    (
        Fault(&[(P::Upright, 1.0)]),
        "schief,schräg,stürzende linien,gekippt,verkippt,stürzende,schiefe,schiefes,krumm,krumme,kippen,kippt,\
         kippen nach hinten,verzogen,verzerrte perspektive,schief gehalten,hängt schief,schräge,geneigt,neigung,nicht gerade,\
         nicht senkrecht,windschief,stürzen,stürzt,stürzende wände,schieflage,verkantet,fallen nach hinten,fällt um,neigen,\
         neigt sich",
    ),
    (
        Fault(&[(P::Highlights, 1.0)]),
        "ausgebrannt,ausgefressen,ausgefressene,überstrahlt,ausgebrannte,ausgerissen,überstrahlen,überstrahlte,zu grell,\
         clipping,ausbrennen,reflexe,blitzreflex,lichtflecken,ausfressen,überstrahlung,ausgeblichene lichter,\
         zeichnung verloren,reinweiße flecken,brennt aus,brennen aus,brennt weg,frisst aus,fressen aus,säuft ab ins weiß",
    ),
    (Property(P::Exposure), "helligkeit,belichtung,bildhelligkeit,gesamthelligkeit,licht im raum"),
    (Property(P::Warmth), "farbtemperatur"),
    (Property(P::Contrast), "kontrast,kontraste,klarheit,kontrastreicher"),
    (
        Property(P::Color),
        "farbe,farben,sättigung,farbsättigung,farbintensität,farbton,farbtöne,farbgebung,intensität,buntheit,dynamik",
    ),
    (
        Property(P::Sharpness),
        "schärfe,details,bildschärfe,detail,feinheiten,textur,struktur,strukturen,zeichnung,konturen,kanten",
    ),
    (
        Property(P::Shadows),
        "schatten,tiefen,dunkle ecken,dunkle bereiche,dunkle stellen,dunkle partien,schattenbereiche,schattenpartien,\
         dunklen ecken,dunklen stellen,dunklen bereiche,dunklen bereichen,dunklen teile,ecken,schattigen bereiche,\
         schattenseite,schwarztöne,dunkle teile,dunkle seite,dunklen partien",
    ),
    (
        Property(P::Highlights),
        "lichter,spitzlichter,helle stellen,helle bereiche,hellen stellen,hellen bereiche,glanzlichter,überbelichtete stellen,\
         überbelichteten stellen,überstrahlte bereiche,helle partien,hellen partien,weißtöne,hellen bereichen",
    ),
    (Property(P::WhiteBalance), "weißabgleich,weissabgleich,farbbalance,weiß abgleich,weißpunkt,farbabgleich"),
    (
        Property(P::Upright),
        "horizont,perspektive,vertikalen,senkrechten,linien,wände gerade,wand gerade,vertikale,vertikale linien,\
         senkrechte linien,horizontlinie,lote,fluchtlinien,perspektivkorrektur,geometrie,horizontale,waagrechte,kanten gerade",
    ),
    (
        Property(P::Windows),
        "fenster,ausblick,aussicht,blick nach draußen,fensterausblick,fensteraussicht,fensterblick,fensteransicht,\
         fensterbereich,fensterflächen,fensterdurchblick,draussen,durchs fenster,durch das fenster,durch die fenster,\
         aus dem fenster,meerblick,seeblick,bergblick,gartenblick,blick aus dem fenster,sicht nach draußen,\
         aussicht aus dem fenster,blick in den garten,aussicht draußen,durch die scheibe,scheiben,scheibe,hinter dem fenster,\
         hinter der scheibe,terrassentür,balkontür,ausblick nach draußen,panoramablick,fernsicht",
    ),
    (
        Property(P::Sky),
        "himmel,blauer himmel,blauen himmel,sonnig,sonniger tag,schönes wetter,wolken,wölkchen,schöner himmel,besseres wetter,\
         schönwetter,sonnenschein,blauem himmel,blauer,sonnenwetter,himmelblau,sonniges wetter,gutes wetter,himmel blau,\
         himmel austauschen,traumwetter,kaiserwetter,blauen himmels,urlaubswetter,über dem haus,über dem dach,überm haus,\
         überm dach",
    ),
    (
        Property(P::Dusk),
        "dämmerung,abenddämmerung,sonnenuntergang,abendstimmung,blaue stunde,abend,abends,blauen stunde",
    ),
    (
        Property(P::Lawn),
        "rasen,gras,wiese,grüner rasen,grünen rasen,grasfläche,rasenfläche,wiesen,vorgarten grün,garten grüner,garten grün,\
         saftig grün,saftiges grün,sattes grün,grünfläche,grün saftiger,rasens,frisches grün,grünes gras,saftiger rasen",
    ),
    (Property(P::Indoors), "innenraum"),
    (Property(P::Outdoors), "draußen"),
    (
        Task(P::Upright),
        "begradigen,ausrichten,gerade ausrichten,gerade rücken,entzerren,geraderücken,gerade stellen,geradestellen,\
         gerade machen,gerade biegen,geradebiegen,gerade richten,geraderichten,senkrecht stellen,entkippen,nivellieren,\
         begradigung,perspektive korrigieren,geradeziehen,gerade ziehen,lot bringen,richtet aus",
    ),
    (Light, "licht,tageslicht,beleuchtung,raumlicht,innenbeleuchtung,sonnenlicht,lichtstimmung,umgebungslicht"),
    (
        Verb(Do::Increase),
        "erhöhen,erhöhe,anheben,verstärken,steigern,hebe,stärker,betonen,erhöht,angehoben,verstärkt,verstärke,hochziehen,\
         hochdrehen,aufdrehen,raufdrehen,rauf,hochschrauben,mehr geben,vertiefen,intensivieren,pushen,anziehen,hochsetzen,\
         vergrössern den,hervorheben,herausarbeiten,heben",
    ),
    (
        Verb(Do::Decrease),
        "reduzieren,reduziere,verringern,absenken,senken,senke,abschwächen,mindern,dämpfen,schwächer,runter,herunter,\
         runterdrehen,zurückdrehen,zurücknehmen,runterschrauben,drosseln,abmildern,mildern,zurückfahren,herabsetzen,rausdrehen,\
         herunterdrehen,herunterregeln,runterregeln,runternehmen,wegdämpfen,bändigen,entschärfen,abdämpfen,beruhigen,zügeln,\
         minimieren,vermindern",
    ),
    (Verb(Do::Enhance), "verbessern,verbessere,verschönern,aufwerten"),
    (
        Verb(Do::Correct),
        "korrigieren,korrigiere,beheben,reparieren,korrektur,ausgleichen,korrigiert,richtig stellen,richtigstellen,berichtigen,\
         zurechtrücken,in ordnung bringen,hinbekommen,hinkriegen,richten,justieren,anpassen,einstellen,stimmen,stimmig,\
         angleichen,kompensieren",
    ),
    (
        Verb(Do::Recover),
        "retten,wiederherstellen,zurückholen,sichtbar,zeigen,erkennbar,zu sehen,sichtbar machen,sieht man,sehen,zurückbringen,\
         hervorholen,herausholen,rausholen,sichtbarer,besser sichtbar,erkennbarer,sieht,erkennen,zum vorschein,herstellen,\
         aufnehmen die,zurückgewinnen,freistellen",
    ),
    (
        Verb(Do::Remove),
        "entfernen,entferne,weg,wegmachen,löschen,lösche,rausnehmen,wegretuschieren,retuschieren,raus,entfernt,wegnehmen,\
         rausretuschieren,wegzaubern,beseitigen,rausschneiden,wegnimmt,verschwindet,rausmachen,rauslöschen,wegschneiden,\
         eliminieren,fortnehmen,herausnehmen,herauslöschen,rausstempeln,wegstempeln,wegretouchieren,ausradieren,wegradieren,\
         rausretuschiert,wegretuschiert,retuschiere,wegbekommen,wegkriegen,loswerden,rausbekommen,rauskriegen,ausschneiden,\
         entfällt,nimm,nehmt,nehmen,weglassen,muss weg,sollen weg,soll weg,müssen weg,raus nehmen,beseitige,tilgen,\
         streichen aus,verschwinden lassen,verschwinden",
    ),
    (
        Verb(Do::Hide),
        "verstecken,verbergen,kaschieren,abdecken,vertuschen,unsichtbar,überdecken,übermalen,zudecken,wegschummeln,überpinseln,\
         verdecken,kaschiere,ausbessern,zuspachteln,überspielen,unkenntlich,keiner sieht,niemand sieht,nicht mehr sehen,\
         keiner sehen,niemand sehen,keiner merkt,niemand merkt,keiner bemerkt,niemand bemerkt,keinem auffällt,nicht auffällt",
    ),
    (
        Verb(Do::Add),
        "hinzufügen,einfügen,füge,dazu,ergänzen,reinstellen,hinstellen,dazustellen,aufstellen,platzieren,stellen,einsetzen,\
         dazumachen,reinmachen,reinsetzen,hineinsetzen,einbauen,reinretuschieren,hineinretuschieren,dazusetzen,dekorieren mit,\
         hinlegen,reinlegen,dazulegen,setzen,setze,platziere,stelle,stell,stellt,einbauen,montieren,reinmontieren",
    ),
    (
        Verb(Do::Replace),
        "ersetzen,ersetze,austauschen,tauschen,tausche,umwandeln,verwandeln,wechseln,auswechseln,umwandeln in,ersatz,austausch,\
         tauscht,tauschen gegen",
    ),
    (
        Verb(Do::Touch),
        "ändern,ändere,verändern,anfassen,bearbeiten,verändere,dran,daran,rumfummeln,herumdoktern,rumpfuschen,verfälschen,\
         antasten,berühren,bearbeitet,bearbeite,anpassen an,verändert,geändert,machen am,anrühren,dran drehen,eingreifen,\
         verschieben,umstellen,verrücken",
    ),
    (
        Verb(Do::Keep),
        "behalten,belassen,bleiben,bleibt,beibehalten,erhalten,unverändert,bewahren,wahren,behalte,so lassen,so belassen,\
         so bleiben,so lasst,bleibe,wie er ist,wie es ist,wie sie ist,wie sie sind,wie gehabt,original lassen,unberührt,\
         unangetastet,erhalten bleiben,nicht verändern,beibehalte,wie aufgenommen,unverfälscht",
    ),
    (
        Verb(Do::Stretch),
        "größer,geräumiger,vergrößern,weiter wirken,breiter,größer wirken,geräumig,größere,größerer,geräumige,weitläufig,\
         weitläufiger,weiter,höher,höhere decken,riesig,großzügig,großzügiger,mehr platz,mehr raum,mehr fläche,vergrößert,\
         strecken,dehnen,weniger eng,nicht so eng,eng,nicht so klein",
    ),
    (
        Thing,
        "autos,wagen,personen,leute,menschen,mensch,stromleitung,stromleitungen,strommast,kabel,mülltonne,mülltonnen,müll,\
         möbel,stuhl,stühle,tisch,sofa,fernseher,hund,katze,schild,schilder,baum,bäume,spiegelung,spiegelungen,wasserzeichen,\
         blumen,pflanzen,schnee,fahrrad,kartons,gegenstände,pool,schwimmbad,couch,lampe,lampen,teppich,bett,bild an der wand,\
         bilder an der wand,grill,trampolin,wäsche,laub,spielzeug,gerüst,satellitenschüssel,strommasten,nachbarhaus,mülleimer,\
         müllsäcke,müllsack,müllcontainer,abfalleimer,abfall,tonnen,tonne,fahrräder,roller,motorrad,lkw,transporter,\
         lieferwagen,wohnwagen,anhänger,auto,autos vor dem haus,pkw,bagger,baustelle,kran,kräne,zaun,zäune,hecke,büsche,busch,\
         strauch,sträucher,unkraut,blätter,laubhaufen,gartenschlauch,schlauch,leiter,eimer,besen,staubsauger,wäscheständer,\
         wäscheleine,kleider,kleidung,jacken,schuhe,handtuch,handtücher,bademantel,zahnbürste,zahnbürsten,shampoo,klobürste,\
         klopapier,toilettenpapier,toilettendeckel,seife,flaschen,flasche,geschirr,teller,gläser,tassen,tasse,wasserkocher,\
         toaster,kaffeemaschine,mikrowelle,kühlschrankmagnete,magnete,familienfotos,fotos an der wand,privatfotos,\
         persönliche gegenstände,persönliche sachen,sachen,zeug,krempel,kram,gerümpel,unordnung,chaos,durcheinander,karton,\
         kiste,kisten,koffer,tasche,taschen,rucksack,kinderwagen,spielsachen,kuscheltiere,puppe,bälle,ball,hocker,sessel,\
         esstisch,couchtisch,regal,regale,schrank,kommode,nachttisch,kissen,decke auf dem sofa,vorhang,vorhänge,gardine,\
         gardinen,jalousie,jalousien,rollo,teppiche,fußmatte,pflanze,blumentopf,blumentöpfe,blumenvase,vase,vasen,kerze,kerzen,\
         obstschale,obst,bücher,zeitung,zeitungen,laptop,bildschirm,drucker,computer,kabelsalat,steckdose,steckdosen,\
         lichtschalter,heizkörper,heizung,klimaanlage,rauchmelder,lampenschirm,kronleuchter,stehlampe,antenne,antennen,\
         satellitenantenne,windrad,windräder,laterne,straßenlaterne,straßenschild,werbetafel,plakat,plakate,poster,aufkleber,\
         schriftzug,datum,datumsstempel,zeitstempel,logo,firmenlogo,text,fotograf,fotografen,kamera im spiegel,stativ,hand,\
         finger,daumen,schatten des fotografen,mein spiegelbild,spiegelbild,vögel,vogel,tauben,pferd,kuh,hunde,katzen,kind,\
         kinder,frau,mann,baby,nachbar,nachbarn,nachbars,passanten,passant,fußgänger,radfahrer,handwerker,mieter,stromkabel,\
         telefonmast,freileitung,freileitungen,mast,masten,gullydeckel,pfütze,pfützen,sonnenschirm,gartenmöbel,liegestuhl,\
         liegestühle,gartenstühle,rutsche,schaukel,sandkasten,planschbecken,whirlpool,badewanne auf dem rasen,boot,berge,\
         palmen,palme,gebäude dahinter,haus dahinter,haus im hintergrund,nachbargebäude,plattenbau,hochhaus,feuer,flammen,wein,\
         weinglas,weingläser,frühstück,dekoration,deko,wandbild,bilderrahmen,gemälde an der wand,spiegel an der wand,uhr,\
         kalender,zettel,post it,ladekabel,verlängerungskabel,router,fernbedienung,konsole,lautsprecher,staub,sensorflecken,\
         sensorstaub,regentropfen,person",
    ),
    (
        Refused(R::Remove),
        "auto entfernen,auto weg,auto löschen,auto wegmachen,aufräumen,entrümpeln,aufgeräumt,leerräumen,aufräum,räum auf,\
         räume auf,räumt auf,ausräumen,leer räumen,freiräumen,sauber machen,ordnung machen,ordnung schaffen,leeren,putzen,\
         aufgeräumter,leerer raum,entrümple,weniger vollgestellt,unaufgeräumt",
    ),
    (
        Surface,
        "wand,wände,decke,boden,schränke,fassade,dach,tür,türen,grundriss,wänden,arbeitsplatte,küchenfronten,fronten,parkett,\
         laminat,fliesen,teppichboden,tapete,tapeten,putz,holz,ziegel,backsteine,treppe,geländer,balkon,terrasse,garage,\
         garagentor,haustür,fensterrahmen,einfahrt,auffahrt,pflaster,dachziegel,arbeitsplatten,armatur,waschbecken,badewanne,\
         einrichtung,architektur",
    ),
    (
        Damage,
        "riss,risse,loch,löcher,schaden,schäden,schimmel,kratzer,wasserfleck,wasserschaden,wasserschäden,feuchtigkeit,\
         feuchter fleck,feuchtigkeitsfleck,schimmelfleck,schimmelflecken,rost,abgeplatzt,abblätternde farbe,abplatzungen,\
         kaputt,kaputte,macke,macken,delle,dellen,beschädigung,beschädigungen,abnutzung,gebrauchsspuren,mängel,mangel,\
         bohrlöcher,bohrloch,putzschaden,brandfleck,bröckelt,bröckelnde,undicht",
    ),
    (
        Refused(R::Add),
        "einrichten,möblieren,virtuell möblieren,möblierung,einrichtung rein,virtuell einrichten,virtuelles staging,\
         virtuelle möblierung,staging,home staging,möblier,dekorieren,mit möbeln,eingerichtet,kaminfeuer,feuer im kamin,\
         kamin mit feuer,einrichten wie",
    ),
    (
        Refused(R::Alter),
        "streichen,renovieren,wandfarbe,umgestalten,wand streichen,wände streichen,neu streichen,anstreichen,\
         wände weiß streichen,weiß streichen,umbauen,modernisieren,sanieren,neuer boden,neuen boden,neue küche,neues bad,\
         neue fliesen,neue fassade,neue tapete,tapezieren,fliesen legen,parkett verlegen,parkett statt,laminat statt,\
         statt teppich,statt fliesen,andere wandfarbe,andere farbe für die wände,wandfarbe ändern,fassade streichen,\
         rasen mähen,mähen,bett machen,gemachtes bett,vorhänge öffnen,vorhänge auf,jalousien hoch,tür schließen,fenster putzen,\
         hecke schneiden,verputzen,renoviert,anderer boden,anderen boden,holzboden statt,pool füllen,wintergarten anbauen,anbau",
    ),
    (
        Refused(R::Lights),
        "licht einschalten,lichter einschalten,licht an,lampen einschalten,licht anmachen,lichter an,licht anschalten,\
         lampen an,lampe an,lampe anmachen,lampen anmachen,lichter anmachen,lichter anschalten,lampen anschalten,\
         lampe einschalten,licht ausschalten,licht aus,lampen aus,lampe ausmachen,lampen ausschalten,licht ausmachen,\
         lichter aus,schalte das licht ein,schalte die lampen ein,mach das licht an,mach die lampen an,beleuchtung an,\
         beleuchtung einschalten,einschalten,anschalten,anknipsen,anzünden,kamin an,kamin anmachen,kamin anzünden,fernseher an,\
         fernseher einschalten,fenster leuchten lassen,beleuchtete fenster",
    ),
    (
        Refused(R::TimeOfDay),
        "nacht,nachts,nachtaufnahme,sternenhimmel,nacht daraus,bei nacht,in der nacht,nächtlich,mondschein,mond,sterne,\
         sonnenaufgang,morgengrauen,morgens,regen,gewitter,gewitterhimmel,dramatischer himmel,feuerwerk,nachtmodus,mitternacht",
    ),
    (
        Refused(R::Style),
        "schwarzweiß,schwarz weiß,gemälde,zeichnung,schwarzweiss,sw,s w,graustufen,monochrom,sepia,aquarell,ölgemälde,comic,\
         zeichnung machen,bleistiftzeichnung,skizze,retro,vintage look,filter,filmlook,kinolook,cartoon,gemälde machen,\
         wie ein gemälde,hdr grunge,vignette,nostalgisch,analoglook,polaroid look,kunstfilter,manga,pop art,filmkorn,\
         schwarz weiss,künstlerisch",
    ),
    (
        Refused(R::Frame),
        "zuschneiden,beschneiden,drehen,spiegeln,skalieren,zuschnitt,quadratisch,quadrat,hochformat,querformat,format,\
         seitenverhältnis,abschneiden,oben abschneiden,unten abschneiden,links abschneiden,rechts abschneiden,beschnitt,\
         ausschnitt,engerer ausschnitt,bildausschnitt,drehe um,um 90 grad,90 grad,gespiegelt,spiegele,kippen um 90,rahmen,\
         weißer rahmen,schwarzer rahmen,rand,weißer rand,näher ran,heranzoomen,reinzoomen,rauszoomen,zoomen,verkleinern,\
         kleiner machen,pixel breit,dateigröße,komprimieren,breitbild,panoramaformat,horizontal spiegeln,auf den kopf",
    ),
    (
        Refused(R::Blur),
        "weichzeichnen,unkenntlich machen,verpixeln,hintergrund unscharf,verwischen,gesichter verpixeln,kennzeichen verpixeln,\
         weichzeichner,hintergrund verschwommen,hintergrund weich,hintergrund unschärfer,tiefenunschärfe,anonymisieren,\
         schwärzen,nummernschild verpixeln,nummernschild unkenntlich,gesicht unkenntlich,unschärfe im hintergrund,\
         hintergrundunschärfe,nummernschild,kennzeichen,autokennzeichen",
    ),
    (
        Refused(R::Resolution),
        "hochskalieren,auflösung,hochrechnen,höhere auflösung,höher auflösen,mehr pixel,mehr auflösung,bild vergrößern,\
         foto vergrößern,größer skalieren,vergrößern auf,druckauflösung,für den druck vergrößern,doppelte größe,megapixel",
    ),
    (
        Degree(0.5),
        "etwas,leicht,ein wenig,wenig,ein bisschen,bisschen,dezent,minimal,sanft,leichte,eine spur,ne spur,spur,einen tick,\
         tick,nen tick,hauch,einen hauch,kleines bisschen,klein wenig,kleines wenig,ein klein wenig,geringfügig,ne idee,\
         eine idee,bissl,bisserl,wenig mehr,sachte,zart,moderat,ganz leicht,ganz wenig",
    ),
    (
        Degree(1.75),
        "sehr,viel,stark,deutlich,richtig,erheblich,total,ordentlich heller,kräftig heller,extrem,wesentlich,enorm,mega,massiv,\
         krass,ziemlich,echt viel,maximal,absolut,komplett,völlig,ganz schön,deutlicher,stärker als,voll",
    ),
    (More, "mehr"),
    (Less, "weniger,nicht so,nicht ganz so,minder"),
    (
        Too,
        "zu,zu viel,allzu,viel zu,arg zu,etwas zu,ein bisschen zu,bisschen zu,leicht zu,ziemlich zu,so,zu sehr,derart,dermaßen,\
         arg",
    ),
    (Enough, "genug,ausreichend,genügend"),
    (
        No,
        "keinesfalls,nie,statt,anstatt,auf keinen fall,nicht nötig,kein,keine,keinen,keinem,ohne,niemals,nichts,nicht,nix,\
         gar nicht,gar nichts,bloß nicht,bloß nix,nur nicht,nicht mehr,nichts mehr,keine änderung,keine änderungen,nimmer,\
         auf gar keinen fall,in keinem fall,unter keinen umständen,bitte nicht,nichts davon,will keine,will kein,möchte keine,\
         möchte kein,brauche keine,braucht keine,braucht kein,brauchen keine,weder,verzichte auf,verzichtet auf,bitte keine,\
         bitte kein,vermeiden,vermeide,keinerlei,keines,keiner",
    ),
    (
        Excess,
        "übertreiben,übertrieben,künstlich,unnatürlich,nicht übertreiben,nicht zu stark,es nicht übertreiben,\
         nicht so übertreiben,nicht zu viel,nicht zuviel,nicht zu sehr,übertrieben bearbeitet,fotomontage,photoshop look,\
         künstlich wirken,unecht,fake,gefälscht,dezent halten,zurückhaltend,behutsam,vorsichtig,sparsam,maßvoll,in maßen,\
         mit maß,mit bedacht,unaufdringlich,überbearbeitet,nicht zu extrem,zu extrem,nicht zu heftig,zu heftig,nicht zu krass,\
         zu krass,weniger ist mehr,kein übertriebener,zu dick aufgetragen,dezente bearbeitung,dezent bearbeiten,subtil,\
         gekünstelt,zu künstlich,schonend,bearbeitet aussehen,bearbeitet aussieht",
    ),
    (Only, "nur,lediglich,bloß,allein,ausschließlich,nichts weiter als"),
    (
        Anything,
        "alles andere,sonst,alles übrige,rest,der rest,übrige,weiteres,anderes,irgendwas,irgendetwas,nichts anderes",
    ),
    (Where, "im,vom,aus,auf,hinter,an,am,in der,bei,unter,neben,vor dem,im bereich,rund um,drin"),
    (
        Filler,
        "wirken lassen,aussehen lassen,erscheinen lassen,lass wirken,sein,werden,wird,sind zu,könnt ihr,können sie,ihr,sie,das,\
         der,den,dem,des,ein,eine,einen,einer,mach,mache,machen,bitte,bild,foto,aufnahme,es,ist,sind,wirkt,wirken,aussehen,\
         zimmer,raum,räume,haus,wohnung,wohnzimmer,küche,bad,schlafzimmer,ganz,insgesamt,soll,sollte,sollen,sieht,mit,für,und,\
         auch,noch,von,vor,zum,zur,neuer,neuen,neues,stimmung,blauer,auto bitte,mir,grauer,grauen,einfach,hinzu,in,alle,rein,\
         lasse,damit,davon,dabei,daran so,da,drin,darin,hier,dort,man,komischer,komisch,irgendwie,eben,halt,mal,doch,ja,ach,\
         also,nun,jetzt,schon,sehr gerne,gerne,gern,danke,vielen dank,dankeschön,lg,mfg,grüße,gruß,viele grüße,liebe grüße,\
         beste grüße,mit freundlichen grüßen,hallo,hi,moin,servus,guten tag,guten morgen,liebes team,wäre,wär,wäre toll,\
         wäre schön,wäre super,würde,würdet,kann,könnte,könnten,könntet,kannst,können,du,wir,ich,uns,euch,hätte,hätten,\
         hätte gern,hätten gern,haben,habe,hat,möchte,möchten,wünsche,wünschen,brauche,brauchen,braucht,will,wollen,muss,\
         müssen,mir das,fotos,bilder,bildes,fotos,gesamte,gesamtes,ganze,ganzes,ganzen,alles,überall,insgesamt etwas,eher,\
         leider,handyfoto,handybild,handy,smartphone,iphone,mit dem handy,aufgenommen,fotografiert,geknipst,geschossen,\
         entstanden,esszimmer,kinderzimmer,arbeitszimmer,flur,diele,gästezimmer,dachboden,keller raum,treppenhaus,büro,wc,\
         gäste wc,badezimmer,terrasse bild,gebäude,immobilie,objekt,anzeige,inserat,für das exposé,fürs exposé,für instagram,\
         fürs inserat,für die anzeige,für airbnb,für immoscout,kunde,kunden,makler,käufer,eigentümer,mieter sehen,rüber,\
         rüberkommen,kommt,kommen,kommt rüber,geworden,werde,wurde,war,waren,so dass,sodass,dass,weil,denn,wenn,als ob,lieber,\
         besonders,etwas zu sehen,mach mal,macht,gib,geben,gebt,bringt,bringe,bringen,bekommen,kriegen,kriegt,nochmal,wieder,\
         dunklen,aussieht,ausschaut,schaut aus,schaut,wirklich,tatsächlich,eigentlich,in wirklichkeit,in echt,in der realität,\
         im original,echten,zuletzt,letzte,letzten,letztes mal,beim letzten mal,version,bearbeitung,ergebnis,gefällt mir nicht,\
         mag ich nicht,nicht zufrieden,unzufrieden,nach dem,nach,oben,unten,links,rechts,vorne,hinten,hintergrund,vordergrund,\
         mitte,seite,teil,bereich,stelle,gestalten,gestalte,gestaltet,leuchtstoffröhren,neonröhren,röhren,geehrte,damen,\
         herren,bei oma,wie zur,als wäre es,als wäre,oma",
    ),
    (
        Change(&[(P::Contrast, 1.0)]),
        "kontrastreich,kontrastreicher,knackiger,mehr tiefe,mehr punch im kontrast,dunst entfernen,klarer,mehr klarheit,\
         mehr zeichnung",
    ),
    (Change(&[(P::Contrast, -1.0)]), "weniger hart,kontrastärmer,weicherer kontrast,flacher"),
    (
        Change(&[(P::Shadows, 1.0)]),
        "schatten aufhellen,schatten heller,schatten auf,schatten hoch,tiefen hoch,weniger schatten,im schatten,im gegenlicht,\
         gegenlicht,schatten weicher,ecken aufhellen,dunkles aufhellen,schwarz anheben",
    ),
    (
        Change(&[(P::Shadows, -1.0)]),
        "tiefere schatten,dunklere schatten,schatten vertiefen,schatten dunkler,schatten abdunkeln,tieferes schwarz,\
         sattes schwarz,satteres schwarz,tiefen absenken,tiefen runter,schwarz vertiefen,mehr schatten,stärkere schatten,\
         schatten verstärken",
    ),
    (
        Change(&[(P::Highlights, 1.0)]),
        "lichter runter,lichter reduzieren,lichter zurück,lichter dämpfen,highlights runter,lichter abdunkeln",
    ),
    (
        Change(&[(P::Highlights, -1.0)]),
        "lichter anheben,lichter hoch,lichter aufhellen,lichter verstärken,hellere lichter",
    ),
    (
        Change(&[(P::WhiteBalance, 1.0)]),
        "neutralisieren,farben neutralisieren,weiß abgleichen,farbkorrektur,farben korrigieren,farbstich neutralisieren",
    ),
    (
        Change(&[(P::Shadows, 1.0), (P::Highlights, 1.0)]),
        "licht ausgleichen,belichtung ausgleichen,gleichmäßig ausleuchten,gleichmäßiger ausleuchten,gleichmäßigere beleuchtung,\
         gleichmäßiges licht,gleichmäßig beleuchtet,helligkeit ausgleichen,lichtverhältnisse ausgleichen,\
         helligkeitsunterschiede ausgleichen",
    ),
    (Quality(&[(P::Exposure, -1.0), (P::Contrast, 1.0)]), "stimmungsvoll,mystisch,dramatisch düster"),
    (
        Fault(&[(P::Contrast, -1.0)]),
        "zu hart,harter kontrast,harte kontraste,hart,harsch,zu kontrastreich,überkontrastiert",
    ),
    (
        Fault(&[(P::Color, -1.0)]),
        "übersättigt,übersättigte,zu bunt,zu knallig,knallbunt,quietschbunt,quietschig,schrill,grellbunt,kitschig,neonfarben,\
         bonbonfarben,zu gesättigt,knalliger,knallige,poppig,giftig",
    ),
    (Fault(&[(P::Sharpness, -1.0)]), "überschärft,zu scharf,überschärfte"),
    (
        Dry,
        "braun,braune,brauner,vertrocknet,verdorrt,trocken,dürr,tot,ausgetrocknet,verbrannt,kahl,kahle stellen,lückig,moosig,\
         welk,vergilbt,ungepflegt,grün,grüner,saftig,saftiger,gesund,satt,verdorrte,dürre,eher braun als grün,\
         mehr braun als grün,eher gelb als grün,mehr gelb als grün,frischer grüner",
    ),
    (Yard, "garten,vorgarten,hinterhof,hof,gartens,grundstück,außenanlage"),
    (
        Setting(P::Indoors),
        "innenaufnahme,innenaufnahmen,innenfoto,innenbild,innenansicht,innen aufgenommen,drinnen,raumfoto,drinnen aufgenommen,\
         ist innen",
    ),
    (
        Setting(P::Outdoors),
        "außenaufnahme,außenaufnahmen,außenansicht,außenfoto,außenbild,draußen aufgenommen,aussenaufnahme,aussenansicht,\
         im freien,ist außen",
    ),
    (Task(P::Windows), "fenster ziehen,fenster retten,fenster zeichnen,blick zeigen"),
    (Verb(Do::Soften), "weichmachen,sanfter,abschwächen der kontraste"),
    (
        Verb(Do::Pop),
        "aufpeppen,pep,mehr pep,knalleffekt,wumms,bums,pfiff,mehr pfiff,kick,schwung,mehr schwung,hingucker,hervorstechen,\
         knaller,power,mehr power,leuchtkraft",
    ),
    (
        Verb(Do::Balance),
        "vereinheitlichen,gleichmäßig,gleichmäßiger,harmonisieren,abgleichen,ausbalancieren,balancieren",
    ),
    (
        Verb(Do::Leave),
        "lassen,lass,lasst,lasse,finger weg,finger weg von,in ruhe,in ruhe lassen,stehen lassen,tabu,hände weg,hände weg von",
    ),
    (
        Fine,
        "passt,passt so,ist gut,ist okay,ist ok,ist perfekt,sind perfekt,sind gut,sind okay,sind ok,sind in ordnung,\
         ist in ordnung,ist super,gefällt mir,gefällt uns,gefallen mir,ist gewollt,ist absicht,sind gewollt,ist schon gut,\
         sind schon gut,stimmt,ist schön,ist richtig,stimmt so,ist prima,ist beabsichtigt,reicht,reicht so,mag ich,ist gut so,\
         sind gut so,gut so,ist okay so,ist ok so",
    ),
    (Stain, "fleck,flecken,schmutz,dreck,schmutzfleck,verschmutzung,schmutzig"),
    (
        Refused(R::Season),
        "sommer,winter,herbst,frühling,weihnachten,weihnachtlich,winterlich,sommerlich,herbstlich,verschneit,schneelandschaft,\
         herbstlaub,jahreszeit,sommerbild,winterbild,sommeraufnahme",
    ),
    (
        Refused(R::Lens),
        "verzeichnung,objektivverzeichnung,fischauge,fischaugeneffekt,tonnenverzeichnung,tonnenförmig,chromatische aberration,\
         farbsäume,farbsaum,objektivkorrektur,linsenkorrektur,verzerrung,weitwinkelverzerrung,objektivfehler,verzerrt,\
         vignettierung,gebogene linien,krumme linien vom weitwinkel,weitwinkel verzerrung",
    ),
    (Unlike, "als in wirklichkeit,als in echt,als in der realität,als in natura"),
];
