//! German.

use crate::prompt::item::CameraMove as M;
use crate::prompt::item::Direction as To;
use crate::prompt::item::Item::{self, *};
use crate::prompt::item::Refusal as R;
use crate::prompt::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "heranfahren,reinzoomen,hineinzoomen,heranzoomen,hineinfahren,näher kommen,näher ran,näher,kamerafahrt vorwärts,\
         zoom rein,hineingehen,heran",
    ),
    (
        Moves(&[M::PullOut]),
        "rauszoomen,herauszoomen,zurückfahren,wegfahren,herausfahren,entfernt sich,zoom raus,zurückziehen",
    ),
    (Moves(&[M::TiltUp]), "nach oben schwenken,schwenk nach oben,hochschwenken"),
    (Moves(&[M::TiltDown]), "nach unten schwenken,schwenk nach unten"),
    (
        Moves(&[M::Hold]),
        "bleibt stehen,standbild,statisch,statische,stillstehen,keine bewegung,stativ,feststehend,unbewegt,ohne bewegung,\
         nicht bewegen,fixe kamera",
    ),
    (Moves(&[M::FlyThrough]), "durchfliegen,hindurchfliegen,durchflug"),
    (Moves(&[M::Reveal]), "enthüllen,enthüllt,enthüllung"),
    (Usual(&[M::PushIn, M::Rise]), "drohne,drohnenflug,luftaufnahme,drohnenaufnahme,überflug"),
    (
        Verb(Do::Go),
        "fahren,fährt,kamerafahrt,fahrt,fahre,bewegen,bewegt,gleiten,gleitet,schweben,schwebt,fliegt,fliegen,geht,gehen,\
         bewegung",
    ),
    (Verb(Do::Zoom), "zoomen,zoomt"),
    (Verb(Do::Pan), "schwenken,schwenk,schwenkt,kameraschwenk,schwenke"),
    (Verb(Do::Look), "drehen,dreht,schauen,schaut,drehe"),
    (Verb(Do::Tilt), "neigen,neigt,kippen,kippt"),
    (Verb(Do::Crane), "steigen,steigt,aufsteigen,heben,hebt,hochfahren,kranfahrt,steigt auf,hebt sich"),
    (Verb(Do::Sink), "senken,senkt,absenken,sinken,sinkt,herunterfahren"),
    (Verb(Do::Orbit), "kreisen,umkreisen,umkreist,kreist,umrunden,kreisfahrt,bogen"),
    (Direction(To::In), "vorwärts,vor,vorn,vorne,hinein,rein,zum,zur,auf,durch,in,ins,hin,nach vorn,nach vorne"),
    (Direction(To::Out), "zurück,rückwärts,weg,hinaus,raus,nach hinten"),
    (Direction(To::Left), "links,nach links"),
    (Direction(To::Right), "rechts,nach rechts"),
    (Direction(To::Up), "oben,hoch,aufwärts,hinauf,nach oben,über"),
    (Direction(To::Down), "unten,runter,abwärts,hinunter,nach unten"),
    (Direction(To::Rightward), "von links nach rechts"),
    (Direction(To::Leftward), "von rechts nach links"),
    (Direction(To::Around), "um,herum,rundum"),
    (Direction(To::Across), "quer,seitlich,seitwärts,entlang,vorbei"),
    (Direction(To::Clockwise), "im uhrzeigersinn"),
    (Direction(To::Counterclockwise), "gegen den uhrzeigersinn"),
    (
        Manner(0.65),
        "langsam,langsame,langsamer,sanft,sanfte,sanfter,ruhig,ruhige,gemächlich,ruhiger,allmählich,behutsam",
    ),
    (Manner(0.5), "leicht,leichte,leichter,dezent,minimal"),
    (Manner(1.0), "gleichmäßig,weich,filmisch,elegant,schwebend,fließend,stabil"),
    (Manner(1.3), "schnell,schnelle,schneller,rasch,dynamisch,dynamische"),
    (Manner(1.4), "dramatisch,dramatische,kräftig"),
    (Very, "sehr,ganz"),
    (Too, "zu,allzu"),
    (Less, "weniger"),
    (No, "ohne,nie,niemals,keinesfalls,keinerlei,statt,anstatt,weder,noch,vermeiden,vermeide,kein,keine,nicht,keinen"),
    (Refused(R::Shake), "handkamera,wackeln,wackelig,verwackelt,wackelkamera"),
    (Refused(R::Focus), "unschärfe,tiefenschärfe,unscharf"),
    (Refused(R::Motion), "menschen,leute,zeitraffer,vorhänge,wolken"),
    (Refused(R::Sound), "musik,ton"),
    (Refused(R::Add), "hinzufügen,entfernen,füge"),
    (Refused(R::View), "vogelperspektive,von oben"),
    (Target, "am,an,beim,vom,von,richtung,bis"),
    (Showing, "zeigen,zeigt"),
    (
        Filler,
        "die,der,das,den,dem,ein,eine,einen,einer,kamera,bitte,sich,aufnahme,raum,zimmer,haus,wohnzimmer,küche,fenster,tür,\
         nach,bild,ist,wird,es,langsam bitte",
    ),
];
