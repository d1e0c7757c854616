//! Spanish.

use crate::prompt::item::CameraMove as M;
use crate::prompt::item::Direction as To;
use crate::prompt::item::Item::{self, *};
use crate::prompt::item::Refusal as R;
use crate::prompt::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "acércate,acerque,avance,acercar,acerca,acercarse,acercamiento,avanzar,avanza,entrar,entra,zoom hacia adentro,\
         dolly hacia adelante,acerques,avances",
    ),
    (
        Moves(&[M::PullOut]),
        "aléjate,alejar,aleja,alejarse,alejamiento,retroceder,retrocede,zoom hacia afuera,aleje,alejes,retroceda,retrocedas",
    ),
    (
        Moves(&[M::Hold]),
        "cámara fija,plano fijo,fija,fijo,estático,estática,sin movimiento,sin mover,sin moverse,quieta,inmóvil",
    ),
    (Moves(&[M::FlyThrough]), "volar a través,atravesar"),
    (Moves(&[M::Reveal]), "revelar,revela,mostrar poco a poco"),
    (Usual(&[M::PushIn, M::Rise]), "dron,vista aérea,sobrevolar,sobrevuelo"),
    (
        Verb(Do::Go),
        "mover,mueve,moverse,desplaza,desplazar,desplazamiento,deslizar,desliza,flotar,flota,movimiento,muevas,mueva,muévete,\
         deslice",
    ),
    (Verb(Do::Slide), "desplazamiento lateral,movimiento lateral,lateral"),
    (Verb(Do::Pan), "paneo,panear,panorámica,barrido"),
    (Verb(Do::Look), "girar,gira,mirar,rotar,giro,gires,gire,rote,mire"),
    (Verb(Do::Tilt), "inclinar,inclina,inclinación"),
    (Verb(Do::Crane), "subir,sube,elevar,eleva,ascender,asciende,grúa,suba,subas,eleve"),
    (Verb(Do::Sink), "bajar,baja,descender,desciende,baje,bajes,descienda"),
    (Verb(Do::Orbit), "órbita,orbitar,rodear,rodea,girar alrededor,gira alrededor"),
    (Direction(To::In), "adelante,hacia,hacia adelante,dentro,adentro,a través"),
    (Direction(To::Out), "atrás,hacia atrás,afuera"),
    (Direction(To::Left), "izquierda,hacia la izquierda,a la izquierda"),
    (Direction(To::Right), "derecha,hacia la derecha,a la derecha"),
    (Direction(To::Up), "arriba,hacia arriba"),
    (Direction(To::Down), "abajo,hacia abajo"),
    (Direction(To::Rightward), "de izquierda a derecha,izquierda a derecha"),
    (Direction(To::Leftward), "de derecha a izquierda,derecha a izquierda"),
    (Direction(To::Around), "alrededor"),
    (Manner(0.65), "lento,lenta,lentamente,suave,suavemente,despacio,poco a poco"),
    (Manner(0.5), "leve,sutil,ligero,ligeramente"),
    (Manner(1.0), "fluido,cinematográfico,cinematográfica,estable"),
    (Manner(1.3), "rápido,rápida,rápidamente,dinámico"),
    (Manner(1.4), "dramático,dramática"),
    (Very, "muy"),
    (Too, "demasiado"),
    (Less, "menos"),
    (No, "sin,ni,en lugar de,en vez de,evita,evitar,tampoco,ningún,nunca"),
    (Refused(R::Shake), "cámara en mano,en mano,temblorosa,temblor"),
    (Refused(R::Focus), "desenfoque,profundidad de campo"),
    (Refused(R::Motion), "gente,personas,cortinas"),
    (Refused(R::Sound), "música,sonido"),
    (Refused(R::Add), "añadir,agregar,quitar,añade"),
    (Refused(R::View), "vista de pájaro,cenital"),
    (Target, "de,del,al,en,desde,sobre,por"),
    (Showing, "mostrando,muestra"),
    (
        Filler,
        "el,los,las,la,una,un,cámara,se,que,con,por favor,plano,toma,sala,salón,cocina,casa,ventana,habitación,a,lo,es",
    ),
];
