//! French.

use crate::prompt::item::CameraMove as M;
use crate::prompt::item::Direction as To;
use crate::prompt::item::Item::{self, *};
use crate::prompt::item::Refusal as R;
use crate::prompt::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "travelling avant,zoom avant,avancer,avance,se rapprocher,rapproche,approche,zoomer,zoome,entrer,entre,avancez,\
         approcher,approchez,rapprochez,zoomez,entrez",
    ),
    (
        Moves(&[M::PullOut]),
        "travelling arrière,zoom arrière,reculer,recule,dézoomer,dézoome,éloigne,éloigner,s éloigne,reculez,dézoomez,éloignez",
    ),
    (Moves(&[M::TiltUp]), "panoramique vertical haut,panoramique vers le haut,basculer vers le haut"),
    (Moves(&[M::TiltDown]), "panoramique vertical bas,panoramique vers le bas,basculer vers le bas"),
    (
        Moves(&[M::Hold]),
        "plan fixe,caméra fixe,fixe,immobile,statique,aucun mouvement,sans mouvement,sans bouger,ne pas bouger,ne bouge pas,\
         ne bougez pas",
    ),
    (Moves(&[M::FlyThrough]), "traverser,survol à travers"),
    (Moves(&[M::Reveal]), "révéler,révèle,dévoiler"),
    (Moves(&[M::DollyZoom]), "travelling compensé"),
    (Usual(&[M::PushIn, M::Rise]), "vue aérienne,survoler,survol"),
    (Verb(Do::Slide), "travelling,travelling latéral,glisser,glisse,latéral"),
    (Verb(Do::Go), "déplacer,déplace,bouger,bouge,flotter,flotte,aller,mouvement,bougez,déplacez,glissez vers,flottez"),
    (Verb(Do::Pan), "panoramique,balayage,panoramique horizontal,pano"),
    (Verb(Do::Look), "tourner,tourne,pivoter,pivote,regarder,tournez,pivotez,regarde"),
    (Verb(Do::Tilt), "incliner,incline,basculer"),
    (Verb(Do::Crane), "monter,monte,s élever,élève,grue,élever,montez,élevez"),
    (Verb(Do::Sink), "descendre,descends,descend,descendez,abaisser,abaisse"),
    (Verb(Do::Orbit), "orbite,tourner autour,tourne autour,contourner,arc de cercle"),
    (Direction(To::In), "avant,vers,dans,à travers,en avant,vers l avant"),
    (Direction(To::Out), "arrière,en arrière,vers l arrière"),
    (Direction(To::Left), "gauche,à gauche,vers la gauche"),
    (Direction(To::Right), "droite,à droite,vers la droite"),
    (Direction(To::Up), "haut,vers le haut,au dessus"),
    (Direction(To::Down), "bas,vers le bas"),
    (Direction(To::Rightward), "de gauche à droite,gauche à droite"),
    (Direction(To::Leftward), "de droite à gauche,droite à gauche"),
    (Direction(To::Around), "autour"),
    (Direction(To::Across), "le long"),
    (Manner(0.65), "lent,lente,lentement,doux,douce,doucement,calme,peu à peu,petit à petit"),
    (Manner(0.5), "léger,légère,légèrement,subtil"),
    (Manner(1.0), "fluide,cinématique,cinématographique,élégant,stable"),
    (Manner(1.3), "rapide,rapidement,vite,dynamique"),
    (Manner(1.4), "dramatique,spectaculaire"),
    (Very, "très"),
    (Too, "trop"),
    (Less, "moins"),
    (No, "sans,ni,au lieu de,plutôt que,éviter,évite,évitez,pas,aucun,aucune,jamais"),
    (Refused(R::Shake), "caméra à l épaule,caméra portée,à l épaule,tremblement,tremblante"),
    (Refused(R::Focus), "flou,profondeur de champ"),
    (Refused(R::Motion), "gens,personnes,rideaux,accéléré"),
    (Refused(R::Sound), "musique,son"),
    (Refused(R::Add), "ajouter,ajoute,enlever"),
    (Refused(R::View), "vue du dessus,plongée,contre plongée"),
    (Target, "de,du,des,sur,au,aux,par,depuis,jusqu"),
    (Showing, "montrant,montrer"),
    (
        Filler,
        "ne,n,le,la,les,l,un,une,caméra,d,s,se,en,plan,pièce,salon,cuisine,maison,il,vous,plait,svp,fenêtre,à,prise,vue,qui,ce",
    ),
];
