//! Spanish.

use crate::camera::item::CameraMove as M;
use crate::camera::item::Direction as To;
use crate::camera::item::Item::{self, *};
use crate::camera::item::Refusal as R;
use crate::camera::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "acércate,acerque,avance,acercar,acerca,acercarse,acercamiento,avanzar,avanza,entrar,entra,zoom hacia adentro,\
         dolly hacia adelante,acerques,avances,acércate a,acérquense,acercaos,acercándose,aproximarse,aproxímate,aproxima,\
         aproximación,aproximarte,más cerca,hacia adelante,hacia delante,avanza hacia,avanzando,camina hacia,caminar hacia,\
         camina,caminar,caminando,entrando,entre en,entra en,zoom in,zoom a,zoom,hacer zoom,haz zoom,hacer un zoom,haz un zoom,\
         zoom hacia,zoom adelante,adentrarse,adéntrate,ingresar,ingresa,dolly in,acercándote,arrimar,arrímate,\
         travelling de avance,travelling hacia adelante,travelling hacia delante,de lejos a cerca",
    ),
    (
        Moves(&[M::PullOut]),
        "aléjate,alejar,aleja,alejarse,alejamiento,retroceder,retrocede,zoom hacia afuera,aleje,alejes,retroceda,retrocedas,\
         aléjese,alejándose,aléjense,aléjalo,distanciarse,hacia fuera,zoom out,zoom atrás,alejar el zoom,quitar zoom,salir,sal,\
         sal de la,saliendo,dar marcha atrás,marcha atrás,echarse atrás,échate atrás,más lejos,abrir el plano,abre el plano,\
         plano que se abre,retrocediendo,dolly out,travelling hacia atrás,travelling de retroceso,alejándote,de cerca a lejos",
    ),
    (
        Moves(&[M::Hold]),
        "cámara fija,plano fijo,fija,fijo,estático,estática,sin movimiento,sin mover,sin moverse,quieta,inmóvil,\
         sin ningún movimiento,ningún movimiento,nada de movimiento,que no se mueva,no se mueva,no se mueve,no mover,\
         no mover la cámara,no moverse,quieto,inmóviles,trípode,en trípode,sobre trípode,toma fija,toma estática,imagen fija,\
         congelado,congelada,congelar,que no se mueva nada,no debe moverse,plano estático,cámara quieta,cámara estática,\
         detenida,sin mover la cámara",
    ),
    (
        Moves(&[M::FlyThrough]),
        "volar a través,atravesar,vuela a través,volando a través,vuelo a través,atraviesa,atravesando,atraviese,\
         dron que atraviesa,dron atraviesa,dron fpv,fpv,dron de carreras,pasar volando por,vuela por,volar por,volando por,\
         vuele por",
    ),
    (
        Moves(&[M::Reveal]),
        "revelar,revela,mostrar poco a poco,revelando,revele,descubrir,descubre,desvelar,desvela,mostrar de repente,revelación",
    ),
    (
        Usual(&[M::PushIn, M::Rise]),
        "dron,vista aérea,sobrevolar,sobrevuelo,drone,vuelo de dron,toma de dron,plano de dron,toma aérea",
    ),
    (
        Verb(Do::Go),
        "mover,mueve,moverse,desplaza,desplazar,desplazamiento,deslizar,desliza,flotar,flota,movimiento,muevas,mueva,muévete,\
         deslice,ir,vaya,vamos,desplázate,desplace,desplazándose,moviéndose,muévela,deslízate,flotando,flote,pasa,pasar,pase,\
         recorre,recorrer,recorrido,recorra,lleva,llevar",
    ),
    (
        Verb(Do::Slide),
        "desplazamiento lateral,movimiento lateral,lateral,deslizamiento,travelling,travelling lateral,traveling,\
         traveling lateral,lateralmente,de lado,de costado,sobre rieles,sobre raíles,en rieles,slider,paralelo,\
         desliza lateralmente",
    ),
    (
        Verb(Do::Pan),
        "paneo,panear,panorámica,barrido,panea,panee,panéalo,paneando,panorámico,barre,barrer,barrido lateral,panoramiza",
    ),
    (
        Verb(Do::Look),
        "girar,gira,mirar,rotar,giro,gires,gire,rote,mire,mira,mirada,miren,gire la cámara,gira la cámara,girar la cámara,rota,\
         voltea,voltear,volver la vista,vuelve la vista,gira la cabeza,girar la cabeza,giras,girando,rotación,observa",
    ),
    (Verb(Do::Tilt), "inclinar,inclina,inclinación,incline,inclínala,inclínate,inclinando,ladear"),
    (
        Verb(Do::Crane),
        "subir,sube,elevar,eleva,ascender,asciende,grúa,suba,subas,eleve,elévate,elévala,elevación,elevándose,subiendo,súbela,\
         súbete,sube como una grúa,plano grúa,plano de grúa,movimiento de grúa,grúa hacia arriba,levantar,levanta,levántate,\
         levante,despegar,despega,despegue,ascenso,ascendente,ascendiendo,escalar,ganar altura,gana altura",
    ),
    (
        Verb(Do::Sink),
        "bajar,baja,descender,desciende,baje,bajes,descienda,bajando,bájala,descenso,descendente,descendiendo,\
         desciende suavemente,agacharse,agáchate,aterrizar,aterriza,baja la cámara,hundirse",
    ),
    (
        Verb(Do::Orbit),
        "órbita,orbitar,rodear,rodea,girar alrededor,gira alrededor,orbita,orbite,orbitando,orbital,rodeando,rodee,rodéalo,\
         rodéala,girar en torno,gira en torno,dar la vuelta,da la vuelta,dar vueltas,da vueltas,da una vuelta,dar una vuelta,\
         vuelta alrededor,vuelta completa,círculo,en círculo,en círculos,semicírculo,medio círculo,media vuelta,arco,en arco,\
         circular,movimiento circular,circunvalar,gira alrededor de,girando alrededor,bordear,bordea",
    ),
    (
        Direction(To::In),
        "adelante,hacia,hacia adelante,dentro,adentro,delante,hacia delante,hacia el interior,para adelante,pa adelante,\
         hacia dentro,dentro de",
    ),
    (Direction(To::Out), "atrás,hacia atrás,afuera,fuera,hacia fuera,para atrás"),
    (
        Direction(To::Left),
        "izquierda,hacia la izquierda,a la izquierda,a mano izquierda,hacia izquierda,lado izquierdo,izq,pa la izquierda,\
         para la izquierda",
    ),
    (
        Direction(To::Right),
        "derecha,hacia la derecha,a la derecha,a mano derecha,hacia derecha,lado derecho,dcha,para la derecha",
    ),
    (Direction(To::Up), "arriba,hacia arriba,para arriba,encima,por encima,hacia lo alto"),
    (Direction(To::Down), "abajo,hacia abajo,para abajo,debajo"),
    (Direction(To::Rightward), "de izquierda a derecha,izquierda a derecha"),
    (Direction(To::Leftward), "de derecha a izquierda,derecha a izquierda"),
    (Direction(To::Around), "alrededor"),
    (
        Manner(0.65),
        "lento,lenta,lentamente,suave,suavemente,despacio,poco a poco,lentos,lentas,más lento,más lenta,más despacio,más suave,\
         suaves,tranquilo,tranquila,tranquilamente,calmado,calmada,con calma,pausado,pausada,pausadamente,delicado,delicada,\
         delicadamente,sin prisa,sin prisas,despacito,lentito,relajado,relajada,cámara lenta,a cámara lenta,gradual,\
         gradualmente,progresivo,progresivamente,apacible,serena,con suavidad,poquito a poco,sosegado,flotante,flotando",
    ),
    (
        Manner(0.5),
        "leve,sutil,ligero,ligeramente,un poco,un poquito,poquito,levemente,sutilmente,apenas,discreto,mínimo,un pelín,\
         algo de,un poco de",
    ),
    (
        Manner(1.0),
        "fluido,cinematográfico,cinematográfica,estable,fluida,fluidos,cinematográficas,de cine,como en el cine,elegante,\
         natural,continuo,continua,constante,estabilizado,estabilizada,profesional,uniforme",
    ),
    (
        Manner(1.3),
        "rápido,rápida,rápidamente,dinámico,rápidos,más rápido,más rápida,más rápidamente,veloz,velozmente,deprisa,aprisa,\
         a toda velocidad,alta velocidad,a gran velocidad,gran velocidad,a toda prisa,dinámica,más dinámico,más dinámica,dinamismo,más dinamismo,enérgico,enérgica,energía,\
         con energía,más energía,con ritmo,ritmo,más ritmo,con fuerza,movido,movida,ágil,brioso,más brío",
    ),
    (
        Manner(1.4),
        "dramático,dramática,dramáticos,dramáticamente,espectacular,fuerte,intenso,intensa,épico,épica,impactante,\
         impresionante,brusco,brusca,salvaje,loco,loca,exagerado",
    ),
    (Very, "muy,bien,súper,super,bastante,realmente,más,todavía más,aún más"),
    (Too, "demasiado,demasiada,demasiados,tan"),
    (Less, "menos"),
    (
        No,
        "sin,ni,en lugar de,en vez de,evita,evitar,tampoco,ningún,nunca,nada de,no quiero,evite,eviten,prescindir de,ninguna,\
         jamás,sin ningún,sin hacer,no hagas,no haga,no hace falta",
    ),
    (
        Refused(R::Shake),
        "cámara en mano,en mano,temblorosa,temblor,tembloroso,temblorosas,temblores,que tiemble,tiembla,movida a mano,a mano,\
         cámara al hombro,al hombro,sacudida,sacudidas,inestable,amateur,casero,vlog,tiemble",
    ),
    (
        Refused(R::Focus),
        "desenfoque,profundidad de campo,desenfocar,desenfoca,desenfocado,fondo desenfocado,fondo borroso,borroso,\
         cambio de foco,cambio de enfoque,enfoque,foco,enfocar,bokeh,difuminar",
    ),
    (
        Refused(R::Motion),
        "gente,personas,cortinas,persona,alguien,niño,niños,niña,mujer,hombre,perro,gato,gente caminando,caminen,cortina,\
         se muevan las cortinas,viento,con el viento,al viento,árboles,árboles se muevan,hojas,hojas se muevan,agua,\
         agua se mueva,agua en movimiento,agua fluya,olas,ondear,ondeen,nubes,nubes pasando,nubes se muevan,time lapse,\
         timelapse,cámara rápida,fuego,llamas,velas,humo,vapor,lluvia,lloviendo,nieve,nevando,pájaros,pájaros volando,\
         coche pasando,coches pasando,coches,puerta se abra,puerta se abre,abrir la puerta,abre la puerta,luces se enciendan,\
         encender,enciende,enciendan,cobre vida,cobrar vida,ventilador,animar,anima,día a noche,anochezca,bailando,bailar,\
         nadando,peatones,gente pase",
    ),
    (
        Refused(R::Sound),
        "música,sonido,musiquita,canción,melodía,sonidos,ruido,ruidos,efectos de sonido,voz,voz en off,narrador,narración,\
         banda sonora,audio,canto de pájaros,pájaros cantando,cantando,trinos,silencio,comentario,piano suave,piano de fondo,\
         guitarra de fondo",
    ),
    (
        Refused(R::Add),
        "añadir,agregar,quitar,añade,añada,añadid,agrega,agregue,pon un,pon una,pon el,pon texto,poner,poner un,inserta,\
         insertar,texto,título,títulos,subtítulos,logo,logotipo,precio,marca de agua,quita,quite,elimina,eliminar,borrar,borra,\
         reemplaza,reemplazar,sustituir,sustituye,amueblar,amuebla,muebles nuevos,número de teléfono,teléfono en,cartel,flecha,\
         árbol de navidad,fuegos artificiales,globos",
    ),
    (
        Refused(R::View),
        "vista de pájaro,cenital,detrás de la puerta,detrás de la casa,lo que hay detrás,detrás de la pared,otra habitación,\
         otras habitaciones,otro cuarto,otro dormitorio,otro lado,otra sala,habitación de al lado,habitación contigua,\
         piso de arriba,otro ángulo,ángulo distinto,ángulo diferente,vista cenital,plano cenital,desde arriba,desde abajo,\
         vista aérea desde arriba,contrapicado,picado,vista de satélite,resto de la casa,detrás de nosotros,desde fuera,\
         desde el otro lado,desde atrás,vista desde arriba,a vista de pájaro,cuarto de al lado,de al lado",
    ),
    (Target, "de,del,al,en,desde,sobre,por,junto,frente,entre,detrás,hasta,como,para,para que,delante de,contra,bajo"),
    (
        Showing,
        "mostrando,muestra,mostrar,enseñar,enseñando,enseña,ver,que se vea,se vea,presentar,viendo,ver todo,se ve",
    ),
    (
        Filler,
        "el,los,las,la,una,un,cámara,se,que,con,por favor,plano,toma,sala,salón,cocina,casa,ventana,habitación,a,lo,es,hola,\
         buenas,buenos días,buenas tardes,gracias,muchas gracias,porfa,saludos,le,les,me,mi,te,tu,su,nos,nuestra,nuestro,y,o,e,\
         unas,unos,esta,este,esto,ese,esa,eso,quiero,quería,quisiera,queremos,querría,me gustaría,necesito,puede,puedes,podéis,\
         podrías,podría,sería,debe,debería,haga,hacer,haz,hagas,hazlo,dale,da,dar,den,ponle,tiene,tenga,sea,son,está,estaba,\
         vídeo,video,clip,película,foto,imagen,movimientos,efecto,estilo,tipo,manera,forma,dormitorio,baño,comedor,pasillo,\
         entrada,jardín,terraza,balcón,piscina,chimenea,mesa,sofá,cama,isla,escalera,puerta,puerta de entrada,edificio,\
         apartamento,villa,fachada,ventanal,esta vez,última vez,último,última,el último,otra vez,también,luego,entonces,así,\
         solo,sólo,solamente,simplemente,nada más,muy bonito,bonito,bonita,lindo,ambiente,sensación,toda,todos,lado,esquina,\
         centro,medio,pequeño,gran,grande,toque,en absoluto,a la altura de los ojos",
    ),
    (
        Moves(&[M::TiltUp]),
        "mirar arriba,mira arriba,mira hacia arriba,mirar hacia arriba,inclina hacia arriba,alzar la vista,alza la vista,\
         levantar la vista,levanta la vista,levanta la mirada,tilt up,tilt hacia arriba,panea hacia arriba,sube la mirada,\
         subir la mirada,mirada suba,mirada sube",
    ),
    (
        Moves(&[M::TiltDown]),
        "mirar abajo,mira abajo,mira hacia abajo,mirar hacia abajo,inclina hacia abajo,bajar la vista,baja la vista,\
         bajar la mirada,baja la mirada,tilt down,tilt hacia abajo,panea hacia abajo,mirada baje,mirada baja",
    ),
    (Moves(&[M::DollyZoom]), "efecto vértigo,vértigo,efecto hitchcock,zoom hitchcock,travelling compensado"),
    (
        Verb(Do::Parallax),
        "paralaje,parallax,efecto paralaje,efecto de paralaje,efecto parallax,profundidad,efecto de profundidad,\
         sensación de profundidad,más profundidad,efecto 3d,tridimensional,en 3d,relieve,foto 3d",
    ),
    (Verb(Do::Fly), "volar,vuela,volando,vuelo,vuele,planear"),
    (Direction(To::Through), "a través,por dentro,a través de"),
    (Direction(To::Across), "a lo largo,a lo ancho,de lado a lado,junto a,por delante de"),
    (Direction(To::Clockwise), "sentido horario,en sentido horario,agujas del reloj"),
    (Direction(To::Counterclockwise), "sentido antihorario,en sentido antihorario,contra las agujas"),
    (High, "techo,techos,tejado,lámpara de techo,lámpara del techo,vigas,cielo,claraboya,araña"),
    (Low, "suelo,piso,parqué,baldosas,alfombra,césped,azulejos,tarima"),
    (Wide, "plano general,amplio,plano abierto,panorámica general"),
    (Close, "primer plano,detalle,plano detalle,plano cerrado,cerca"),
    (Start, "empezar,empieza,comenzar,comienza,empiece,comience,iniciar,inicia,al principio,primero"),
    (End, "terminar,termina,termine,acabar,acaba,finalizar,finaliza,parar,para en,detenerse,al final,finalmente"),
    (
        Refused(R::Roll),
        "plano holandés,horizonte inclinado,rodar,voltereta,boca abajo,cabeza abajo,de cabeza,pirueta,tirabuzón,\
         giro sobre sí misma,giro sobre sí mismo,vueltas de campana,al revés",
    ),
    (
        Refused(R::Grade),
        "color,colores,más cálido,más cálida,más frío,más luminoso,más luminosa,más claro,más clara,más oscuro,más oscura,\
         más brillante,iluminación,brillo,contraste,saturación,blanco y negro,sepia,filtro,etalonaje,puesta de sol,atardecer,\
         anochecer,noche,de noche,hora dorada,amarillo,menos amarillo,amarilla,menos amarilla,cielo azul,exposición,grano,\
         vintage,colores vivos,colores intensos,más color,más vivo,más vivos,vivos,más luz,cálido,aclarar,aclara,oscurecer,tono,tonos,balance de blancos",
    ),
    (
        Refused(R::Cut),
        "corte,cortes,cortar a,montaje,varios planos,varias tomas,varios ángulos,diferentes ángulos,distintos ángulos,\
         distintos planos,fundido,fundido a negro,transición,transiciones,bucle,en bucle,repetir,repite,acelerar,acelera,\
         ida y vuelta,de ida y vuelta,pantalla dividida,antes y después,presentación de fotos,siguiente escena,cambio de plano,\
         primero lento y luego rápido",
    ),
];
