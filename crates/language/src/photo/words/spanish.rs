//! Spanish.

use crate::photo::item::Item::{self, *};
use crate::photo::item::Verb as Do;
use crate::photo::request::Property as P;
use crate::photo::request::Refusal as R;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Change(&[(P::Exposure, 1.0)]),
        "aclarar,aclara,iluminar,ilumina,aclare,aclares,ilumine,ilumines,más luz,deja entrar la luz,más clara,más claro,\
         más luminosa,más luminoso,más brillo,dale luz,dale más luz,dar luz,dar más luz,dar más brillo,añade luz,añadir luz,\
         subir la luz,sube la luz,que entre luz,que entre más luz,más iluminación,más iluminada,más iluminado,esclarecer,\
         abrillantar",
    ),
    (
        Change(&[(P::Exposure, -1.0)]),
        "oscurecer,oscurece,oscurezca,oscurezcas,más oscura,más oscuro,menos luz,menos brillo,menos brillante,menos luminosa,\
         menos clara,bajar la luz,baja la luz,menos expuesta",
    ),
    (
        Change(&[(P::Warmth, 1.0)]),
        "calentar,hora dorada,calienta,caliente,calientes,más calidez,más cálida,más cálido,más acogedor,más acogedora,\
         dale calidez,tonos cálidos,tonos más cálidos,más hogareño,más dorado,calentita,menos azul,menos azulado,menos azulada,\
         menos fría,menos frío",
    ),
    (
        Change(&[(P::Warmth, -1.0)]),
        "enfriar,enfría,enfríe,enfríes,más fría,más frío,más fresca,tonos fríos,tonos más fríos,menos cálida,menos cálido,\
         menos naranja,quitar calidez,menos amarillo,menos amarilla,menos amarillenta",
    ),
    (
        Change(&[(P::Color, -1.0)]),
        "desaturar,desatura,desature,menos color,menos viva,menos vivos,menos saturada,menos saturados,menos saturación,\
         menos intensos,menos intensidad,menos chillones,apagar los colores,suavizar los colores,suaviza los colores,\
         más apagados,más suaves,colores más suaves,bajar los colores",
    ),
    (
        Change(&[(P::Sharpness, 1.0)]),
        "enfocar,más nítida,más nítido,más nitidez,enfoca,enfoque,afilar,afila,más definida,más definido,más definición,\
         más detalle,más detalles,más enfocada,dar nitidez,dale nitidez",
    ),
    (
        Change(&[(P::Noise, 1.0)]),
        "reducción de ruido,quitar el ruido,quita el grano,quitar el grano,eliminar el ruido,menos ruido,menos grano,\
         reducir el ruido,limpiar el ruido,sin ruido,sin grano,reducir el grano",
    ),
    (
        Quality(&[(P::Exposure, 1.0)]),
        "brillante,luminoso,luminosa,claro,clara,brillantes,luminosos,iluminada,iluminado,bien iluminada,bien iluminado,\
         resplandeciente",
    ),
    (
        Quality(&[(P::Warmth, 1.0)]),
        "cálido,cálida,cálidos,acogedor,acogedora,cálidas,acogedores,hogareña,hogareño,confortable,calidez,acogedoras,\
         agradable,calentito,íntimo",
    ),
    (
        Quality(&[(P::Color, 1.0)]),
        "vivo,viva,vivos,vivas,vibrante,vibrantes,saturado,saturada,saturados,vívidos,vívida,intenso,intensa,colorido,colorida,\
         alegre,alegres",
    ),
    (Quality(&[(P::Sharpness, 1.0)]), "nítido,nítida,nítidos,definida,definido,enfocada,detallada"),
    (Quality(&[(P::Sharpness, -1.0)]), "suave"),
    (
        Quality(&[(P::WhiteBalance, 1.0)]),
        "blanco,blanca,blancas,neutro,neutros,blancos,neutral,neutras,neutra,blanquísimas",
    ),
    (
        Quality(&[(P::Upright, 1.0)]),
        "recto,recta,rectas,nivelado,derecho,derecha,derechas,derechos,rectos,nivelada,niveladas,a nivel,a plomo,alineadas,\
         vertical,alineado",
    ),
    (
        Quality(&[(P::Natural, 1.0)]),
        "natural,realista,profesional,mejor,bonita,bonito,linda,lindo,hermosa,hermoso,profesionales,naturales,real,fiel,\
         fiel a la realidad,auténtica,auténtico,creíble,atractiva,atractivo,presentable,vendible,de revista,revista,calidad,\
         perfecta,perfecto,elegante,lujosa,impecable,buena,bueno,guapa,limpia,fresca,mejor aspecto,vistosa",
    ),
    (
        Fault(&[(P::Exposure, 1.0)]),
        "oscuro,oscura,oscuras,subexpuesta,oscuros,sombrío,muy oscura,muy oscuro,no se ve nada,no se ve casi nada,apenas se ve,\
         lúgubre,sombría,sombríos,tenebrosa,tenebroso,cueva,una cueva,parece una cueva,falta luz,falta de luz,poca luz,\
         poco iluminada,mal iluminada,mal iluminado,subexpuesto,penumbra,oscuridad,tétrico,tétrica,apenas se distingue,\
         está negro,está negra,todo negro,toda negra,muy negro",
    ),
    (
        Fault(&[(P::Exposure, -1.0)]),
        "sobreexpuesta,sobreexpuesto,demasiado clara,demasiado claro,demasiada luz,muy clara,deslumbrante,deslumbra,\
         demasiado brillante,demasiado brillo,sobre expuesta,sobreexposición,cegador",
    ),
    (
        Fault(&[(P::Warmth, -1.0)]),
        "amarillo,amarilla,amarillento,tono amarillo,amarillenta,amarillos,amarillas,amarillentas,amarillentos,naranja,\
         anaranjado,anaranjada,anaranjados,tono naranja,tinte amarillo,tono anaranjado,tira a amarillo,bombillas,\
         demasiado cálida,demasiado cálido,amarillea",
    ),
    (
        Fault(&[(P::Warmth, 1.0)]),
        "frío,fría,azulado,azulada,azulados,azuladas,gélido,gélida,clínico,clínica,hospital,de hospital,como un hospital,\
         estéril,fríos,frías,tono azul,tinte azul,tira a azul,dominante azul,tono azulado,demasiado azul,helado,frialdad",
    ),
    (
        Fault(&[(P::WhiteBalance, 1.0)]),
        "dominante de color,tinte,verdoso,verdosa,rosado,rosada,rojizo,rojiza,violáceo,magenta,tono verde,tono verdoso,\
         tono rosado,tinte verde,tinte rosa,tinte magenta,tira a verde,tiran a verde,dominante verde,dominante,colores raros,\
         colores falsos,color raro,morado,lila,dominante magenta,dominante rosa,tono raro,quita el verde,quitar el verde,\
         saca el verde,sacar el verde",
    ),
    (
        Fault(&[(P::Contrast, 1.0), (P::Color, 1.0)]),
        "apagado,apagada,plano,plana,deslavado,apagados,sosa,soso,aburrida,aburrido,triste,tristes,sin vida,sin gracia,\
         deslavada,lavada,lavado,lavados,desteñida,desteñidos,pálida,pálido,pálidos,descolorida,descolorido,gris y triste,\
         insulsa,insípida,mortecina,flojo,flojos,débil,débiles",
    ),
    (
        Fault(&[(P::Contrast, 1.0)]),
        "neblina,niebla,neblinosa,brumosa,bruma,lechosa,lechoso,velada,velo,falta contraste,falta de contraste,poco contraste,\
         sin contraste,calima",
    ),
    (
        Fault(&[(P::Sharpness, 1.0)]),
        "borroso,borrosa,desenfocado,desenfocada,borrosos,borrosas,movida,movido,desenfocados,poco nítida,poco nítido,\
         sin nitidez,falta nitidez,falta de nitidez,difusa,blanda",
    ),
    (
        Fault(&[(P::Noise, 1.0)]),
        "ruido,granulado,grano,granulada,granuloso,granulosa,ruidosa,ruidoso,mucho grano,con grano,pixelada,pixelado,\
         granulosidad",
    ),
    (
        Fault(&[(P::Upright, 1.0)]),
        "torcido,torcida,inclinado,inclinada,torcidas,torcidos,inclinadas,inclinados,chueca,chueco,chuecas,ladeada,ladeado,\
         ladeadas,desnivelada,desnivelado,no está recta,no están rectas,se caen,caídas,caída,doblada,inclinación,\
         no está derecha,tumbada,se inclina,se inclinan,inclinan",
    ),
    (
        Fault(&[(P::Highlights, 1.0)]),
        "quemado,quemadas,quemada,quemar,quemes,queme,sobreexponer,reventadas,quemados,reventado,reventados,reventada,\
         sobreexpuestas,sobreexpuestos,reflejo del flash,destellos,blancos quemados,deslumbres,clipeadas",
    ),
    (Property(P::Exposure), "brillo,exposición,luminosidad,nivel de luz"),
    (Property(P::Warmth), "temperatura"),
    (Property(P::Contrast), "contraste,claridad"),
    (Property(P::Color), "color,colores,saturación,tonos,tonalidad,colorido de la foto,intensidad"),
    (Property(P::Sharpness), "nitidez,detalle,detalles,textura,texturas,definición,contornos,bordes nítidos"),
    (
        Property(P::Shadows),
        "sombra,sombras,zonas oscuras,rincones oscuros,esquinas oscuras,partes oscuras,rincón oscuro,negros,rincones,\
         zona oscura,parte oscura,áreas oscuras",
    ),
    (
        Property(P::Highlights),
        "altas luces,luces altas,luces,zonas claras,partes claras,zonas quemadas,partes quemadas,zonas brillantes,\
         partes brillantes,zonas sobreexpuestas,brillos,áreas claras",
    ),
    (
        Property(P::WhiteBalance),
        "balance de blancos,balance blancos,balance blanco,balance de color,balance de blanco,balance del blanco",
    ),
    (
        Property(P::Upright),
        "verticales,líneas verticales,horizonte,perspectiva,líneas,vertical de las paredes,horizontal,horizontales,\
         líneas rectas,paredes rectas,línea del horizonte,líneas que convergen",
    ),
    (
        Property(P::Windows),
        "ventana,ventanas,vista exterior,vista,vistas,la vista,las vistas,por la ventana,por las ventanas,\
         a través de la ventana,a través de las ventanas,ventanal,ventanales,vistas al mar,vista al mar,vista al jardín,\
         lo de fuera,lo que hay fuera,afuera,paisaje,detrás del cristal,cristal,cristales,a través del cristal,tras la ventana,\
         por el cristal",
    ),
    (
        Property(P::Sky),
        "cielo,cielo azul,soleado,día soleado,nubes,nube,cielos,buen tiempo,día de sol,sol,cielo despejado,despejado,\
         cielo soleado,clima,cielo bonito,cielo nublado,nublado,encima del tejado,encima de la casa,sobre el tejado",
    ),
    (Property(P::Dusk), "atardecer,anochecer,crepúsculo,puesta de sol,hora azul"),
    (
        Property(P::Lawn),
        "césped,hierba,pasto,césped verde,césped más verde,céspedes,jardín verde,jardín más verde,hierba verde,\
         hierba más verde,pasto verde,pasto más verde,grama,prado,reverdecer,césped bien verde,verdor,zacate,enverdecer",
    ),
    (Property(P::Indoors), "interiores"),
    (Property(P::Outdoors), "exteriores"),
    (
        Task(P::Upright),
        "enderezar,endereza,enderece,nivelar,nivela,poner recto,poner recta,ponla recta,ponlo recto,pon recta,poner derecho,\
         poner derecha,alinear,alinea,corregir la perspectiva,aplomar,aploma,rectificar,nivelar el horizonte,enderezado,\
         ponla derecha",
    ),
    (Light, "luz,iluminación,luz natural,luz del día,luces interiores"),
    (
        Verb(Do::Increase),
        "aumentar,aumenta,aumente,sube,subir,levanta,levantar,realza,realzar,aumentes,suba,subas,intensificar,intensifica,\
         incrementar,incrementa,reforzar,refuerza,potenciar,potencia,resaltar,resalta,intensifique,acentuar,acentúa,subirle,\
         súbele,eleva,elevar,destacar,destaca,abrir,abre",
    ),
    (
        Verb(Do::Decrease),
        "reducir,reduce,reduzca,baja,bajar,disminuir,disminuye,atenuar,baje,bajes,disminuya,atenúa,bájale,bajarle,suavizar,\
         suaviza,suavice,rebajar,rebaja,moderar,modera,quitar un poco,controlar,controla,aminorar,calmar,calma,minimizar",
    ),
    (
        Verb(Do::Enhance),
        "mejorar,mejora,mejore,embellecer,optimizar,optimiza,embellece,pulir,pule,perfeccionar,mejoren,realzar la foto",
    ),
    (
        Verb(Do::Correct),
        "corregir,corrige,arregla,arreglar,ajustar,corrija,corrijas,arregle,ajusta,ajuste,reparar,repara,corrección,corrijan,\
         compensar,compensa,solucionar,soluciona,regular,rectifica,ajústalo,arreglen,ajusten",
    ),
    (
        Verb(Do::Recover),
        "recuperar,recupera,restaurar,muestra,recupere,restaura,mostrar,muestre,ver,rescatar,rescata,traer,salvar,salva,\
         visible,visibles,muéstrame,enseñar,enseña",
    ),
    (
        Verb(Do::Remove),
        "quitar,quita,quite,eliminar,elimina,elimine,borrar,borra,saca,quites,elimines,borre,borres,sacar,saque,retirar,retira,\
         quitad,quiten,sacad,saquen,eliminen,borren,despejar de,desaparezca,desaparezcan,retire,remover,remueve,remueva,\
         suprimir,suprime,quitarle,eliminado,limpiar de,limpia de,fuera,desaparecer,haz desaparecer",
    ),
    (
        Verb(Do::Hide),
        "ocultar,oculta,esconder,tapar,disimular,oculte,esconde,tapa,tape,disimula,cubrir,cubre,cubra,camuflar,camufla,\
         disimule,que no se note,que no se noten,encubrir,maquillar,retocar la grieta,tapad,escondan,nadie lo vea,\
         que nadie lo vea,nadie lo note,que nadie lo note",
    ),
    (
        Verb(Do::Add),
        "añadir,añade,agregar,agrega,pon,poner,añada,añadas,agregue,agregues,ponga,pongas,coloca,colocar,meter,mete,incluir,\
         incluye,insertar,inserta,coloque,colocad,poned,pongan,agreguen,añadan,instalar,instala",
    ),
    (
        Verb(Do::Replace),
        "reemplazar,reemplaza,sustituir,sustituye,convertir,convierte,reemplace,sustituya,convierta,cambiar por,cambia por,\
         sustituyan,reemplacen,transformar,transforma,pasar a,pásala a",
    ),
    (
        Verb(Do::Touch),
        "cambiar,cambia,cambie,modificar,modifica,tocar,toques,retocar,cambies,modifique,modifiques,toque,alterar,altera,\
         alteres,altere,mover,mueve,muevas,muevan,editar,edita,manipular,retoques,cambio,cambios,modificación,modificaciones,\
         cambien,toquen,tocad,toquéis",
    ),
    (
        Verb(Do::Keep),
        "mantener,mantén,mantiene,conservar,conserva,mantenga,conserve,respeta,respetar,tal cual,tal como está,tal como están,\
         como está,como están,así como está,igual,intacto,intacta,intactos,quedarse,se queda,se quedan,queda,quede,quedan,\
         mantened,preservar,preserva,respetad,conservad,original",
    ),
    (
        Verb(Do::Stretch),
        "más grande,más amplio,agrandar,ampliar,más espacioso,más ancho,más grandes,más espaciosa,más amplia,agranda,amplía,\
         ensanchar,ensancha,más alto,más altos,más espacio,amplio,espacioso,espaciosa,menos estrecho,menos pequeño,más anchas,\
         más ancha,estirar,enorme",
    ),
    (
        Thing,
        "coche,coches,carro,carros,vehículo,persona,gente,basura,cable eléctrico,cables eléctricos,poste,mueble,muebles,sofá,\
         perro,gato,cartel,letrero,árbol,árboles,reflejo,reflejos,piscina,flores,objetos,bicicleta,desorden,marca de agua,\
         cubos de basura,planta,plantas,mesa,silla,sillas,lámpara,alfombra,cama,cuadro,cuadros,antena,cables,ropa,juguetes,\
         contenedor,contenedores,camión,furgoneta,moto,motocicleta,bicicletas,remolque,caravana,barco,manguera,\
         escalera de mano,cubo,cubos,escoba,aspiradora,tendedero,ropa tendida,zapatos,toalla,toallas,cepillo de dientes,\
         papel higiénico,champú,jabón,botella,botellas,platos,vasos,taza,tazas,tostadora,cafetera,microondas,imanes,nevera,\
         frigorífico,tele,televisor,televisión,ordenador,computadora,pantalla,impresora,cable,enchufe,enchufes,alargador,\
         interruptor,radiador,radiadores,aire acondicionado,detector de humo,lámparas,fotos familiares,fotos de familia,\
         fotos de la pared,objetos personales,cosas,trastos,cacharros,cosas personales,caja,cajas,maleta,maletas,bolsa,bolsas,\
         bolsas de basura,bolsa de basura,cochecito,juguete,peluche,peluches,balón,sillón,sillones,butaca,mesa de centro,\
         mesa de comedor,estantería,estantes,armario,cómoda,mesita de noche,cojín,cojines,manta,cortina,cortinas,persiana,\
         persianas,felpudo,alfombras,flor,maceta,macetas,jarrón,jarrones,vela,velas,frutero,frutas,fruta,libros,libro,\
         periódico,antenas,parabólica,antena parabólica,molino,señales,cartel de se vende,anuncio,póster,pósters,pegatina,\
         texto,logo,logotipo,fecha,marca de fecha,sello de fecha,fotógrafo,trípode,dedo,mano,pulgar,mi reflejo,mi sombra,\
         sombra del fotógrafo,pájaro,pájaros,paloma,caballo,vaca,perros,gatos,niño,niños,niña,bebé,mujer,hombre,señora,señor,\
         vecino,vecinos,peatón,peatones,transeúntes,ciclista,obreros,inquilino,poste de luz,postes,poste eléctrico,\
         cables de luz,tendido eléctrico,torre eléctrica,farola,farolas,andamio,andamios,grúa,grúas,obras,toldo,sombrilla,\
         tumbona,tumbonas,barbacoa,parrilla,columpio,tobogán,cama elástica,jacuzzi,seto,setos,arbusto,arbustos,hojas secas,\
         malas hierbas,nieve,charco,charcos,alcantarilla,valla,vallas,montañas,montaña,palmera,palmeras,edificio de atrás,\
         edificio de enfrente,casa de al lado,casa del vecino,fuego,llamas,vino,decoración,adornos,polvo,cuna,perchas,perchero,\
         personas,gente en la calle,cubo de basura,contenedores de basura,basurero,tacho,tachos,lavadora",
    ),
    (
        Surface,
        "pared,paredes,techo,suelo,piso,fachada,puerta,puertas,armarios,encimera,azulejos,baldosas,parqué,moqueta,\
         papel pintado,pintura,escalera,barandilla,balcón,terraza,garaje,persiana metálica,ladrillo,ladrillos,tejado,tejas,\
         camino de entrada,fregadero,bañera,vigas,distribución,arquitectura,suelos,techos",
    ),
    (
        Damage,
        "grieta,grietas,agujero,humedad,daño,daños,desconchado,desconchones,desconchada,pintura desconchada,moho,óxido,rota,\
         roto,rotos,dañado,dañada,desperfecto,desperfectos,defecto,defectos,humedades,gotera,goteras,arañazo,arañazos,rayón,\
         rayones,agujeros,quemadura,deteriorado,deteriorada,raja,rajas,fisura,fisuras,mancha de humedad,manchas de humedad",
    ),
    (
        Refused(R::Remove),
        "ordenar,despejar,vaciar la habitación,ordena,recoger,recoge,limpiar la habitación,limpia la cocina,limpiar,\
         limpia la mesa,despeja,vaciar,vacía,vacía la habitación,desordenado,desordenada,recogida",
    ),
    (
        Refused(R::Add),
        "amueblar,decorar,amuebla,amueblado,amueblada,decora,home staging,staging virtual,muebles virtuales,\
         fuego en la chimenea,chimenea encendida,chimenea con fuego",
    ),
    (
        Refused(R::Alter),
        "pintar,pinta,renovar,color de las paredes,reformar,pinta las paredes,pintar las paredes,pinte,renueva,reforma,\
         cambia el suelo,cambiar el suelo,cambia el color de la pared,cambia el color de las paredes,\
         cambiar el color de las paredes,nueva cocina,cocina nueva,suelo nuevo,suelo de madera,suelo de parqué,modernizar,\
         moderniza,cortar el césped,corta el césped,hacer la cama,haz la cama,abrir las cortinas,abre las cortinas,\
         cierra la puerta,alicatar,otro suelo,otro color de pared",
    ),
    (
        Refused(R::Lights),
        "encender,enciende,luces encendidas,enciende las luces,encienda,encended,encendidas,encendida,encender las luces,\
         encender las lámparas,enciende las lámparas,luces prendidas,prende,prender,prende las luces,apaga,apagar,\
         apaga las luces,apagar las luces,luz encendida,lámpara encendida,ventanas iluminadas",
    ),
    (
        Refused(R::TimeOfDay),
        "noche,de noche,estrellas,nocturna,nocturno,amanecer,madrugada,lluvia,tormenta,tormentoso,cielo dramático,luna,\
         medianoche,estrellado,cielo estrellado,fuegos artificiales",
    ),
    (
        Refused(R::Style),
        "blanco y negro,acuarela,monocromo,sepia,óleo,pintura al óleo,dibujo,dibujo animado,caricatura,boceto,vintage,retro,\
         filtro,filtros,película,cine,cinematográfico,cómic,manga,viñeteado,foto antigua,estilo pintura,como un cuadro,\
         en blanco y negro,b y n,artístico,artística",
    ),
    (
        Refused(R::Frame),
        "recortar,recorta,girar,voltear,recorte,recortes,recorta a,cuadrado,cuadrada,formato,formato vertical,\
         formato horizontal,gira,girarla,rota,rotar,espejo,voltea,voltear horizontalmente,reflejar horizontalmente,zoom,\
         acercar,aleja,borde,bordes,marco,marco blanco,redimensionar,redimensiona,comprimir,píxeles,90 grados,\
         relación de aspecto",
    ),
    (
        Refused(R::Blur),
        "desenfocar,difuminar,difumina,difumine,pixelar,pixela,desenfoca,desenfoca el fondo,fondo desenfocado,fondo borroso,\
         matrícula,matrículas,placa del coche,placas,caras,rostros,tapar la matrícula,tapa la matrícula,tapar las caras,\
         censurar,anonimizar",
    ),
    (
        Refused(R::Resolution),
        "resolución,más resolución,mayor resolución,alta resolución,alta definición,ampliar la imagen,ampliar la foto,\
         agrandar la foto,agrandar la imagen,aumentar el tamaño,más píxeles,megapíxeles,escalar,escala a",
    ),
    (
        Degree(0.5),
        "un poco,ligeramente,poco,leve,sutil,levemente,un poquito,poquito,un pelín,un pelo,una pizca,un toque,un tanto,algo,\
         apenas,tantito,sutilmente,moderadamente",
    ),
    (
        Degree(1.75),
        "mucho,muy,bastante,mucha,un montón,super,súper,extremadamente,totalmente,completamente,a tope,notablemente,bien,harto,\
         muchísimo,al máximo",
    ),
    (More, "más"),
    (Less, "menos,no tan,no tanto,no tanta"),
    (Too, "demasiado,demasiada,demasiados,demasiadas,excesivamente,muy muy,tan,tanto,tanta,en exceso"),
    (Enough, "suficiente,suficientemente"),
    (
        No,
        "ni,tampoco,en vez de,en lugar de,evita,evitar,sin,nunca,ningún,no,nada de,ninguna,jamás,de ninguna manera,\
         en ningún caso,bajo ningún concepto,no quiero,no queremos,no hace falta,no es necesario,prohibido,evite,eviten,\
         no necesito,para nada,no hay que",
    ),
    (
        Excess,
        "exagerar,artificiales,exageres,exagerado,exagerada,exageréis,exageren,sin exagerar,no exageres,te pases,os paséis,\
         pasarse,sin pasarse,no te pases,pasarte,artificial,falsa,falso,falsas,irreal,photoshopeada,forzado,forzar,\
         con moderación,moderación,sutileza,con sutileza,discreto,discreta,retocada,muy retocada,con cuidado,sin excesos,\
         excesivo,excesiva",
    ),
    (Only, "solo,solamente,sólo,únicamente,nada más que,nomás"),
    (Anything, "nada más,todo lo demás,nada,lo demás,el resto,resto,otra cosa,algo más,todo"),
    (Where, "en,desde,detrás,bajo,debajo,junto,cerca,sobre,alrededor,delante,frente"),
    (
        Filler,
        "el,los,las,una,unos,del,al,haz,hazlo,hazla,hacer,haga,imagen,foto,fotografía,por,favor,habitación,salón,sala,cocina,\
         casa,dormitorio,que,sea,se,vea,es,está,con,para,lo,azul,gris,nuevo,esta,este,quiero,más verde,hola,buenas,buenos días,\
         buenas tardes,gracias,muchas gracias,porfa,por favor,saludos,un saludo,la,le,les,me,nos,te,mi,mis,nuestra,nuestro,su,\
         sus,tu,yo,nosotros,a,y,o,e,un,unas,como,pero,si,sí,ya,así,ahora,aquí,ahí,allí,hay,ha,han,he,hecho,hecha,era,fue,ser,\
         son,están,estaba,siendo,salió,sale,salen,quedó,queda muy,ha salido,ha quedado,se ve,se ven,veo,ven,vean,quería,\
         quisiera,queremos,querría,me gustaría,nos gustaría,necesito,necesita,necesitamos,necesitan,puede,puedes,podéis,\
         podrías,podrían,pueden,podría,sería,debe,debería,deben,tiene,tienen,tenga,tengan,dale,dar,da,dé,den,ponle,ponla,ponlo,\
         hazle,hagan,haced,parezca,parezcan,parece,parecen,parecer,quede,luzca,luzcan,luce,sienta,sientan,siente,sentir,\
         ambiente,aspecto,apariencia,efecto,sensación,toque de,tono,imágenes,fotos,fotito,toma,captura,móvil,celular,teléfono,\
         iphone,con el móvil,con mi móvil,anuncio web,para el anuncio,para instagram,para airbnb,cliente,clientes,comprador,\
         compradores,huéspedes,visitantes,agencia,piso alquiler,apartamento,departamento,vivienda,inmueble,propiedad,edificio,\
         oficina,pasillo,entrada,baño,aseo,comedor,cuarto,recámara,estudio,garaje foto,ático,sótano,cuarto de baño,versión,\
         resultado,última,última vez,vez,anterior,realidad,en realidad,en persona,real life,de verdad,fea,feo,horrible,\
         una pena,qué pena,lástima,todo el,toda la,toda,todos,todas,entera,entero,general,en general,conjunto,izquierda,fondo,\
         parte,zona,lado,esquina,medio,porque,ya que,cuando,mientras,además,también,aún,todavía,siempre,quizás,tal vez,posible,\
         si es posible,si puede ser,ayuda,necesario,esto,eso,ese,esa,estos,estas,esos,esas,aquel,cual,cuyo,donde,gustaría,\
         como si fuera,como si fuese,si fuera,estimados,señores,fluorescentes,tubos,se inclinan un",
    ),
    (
        Change(&[(P::Contrast, 1.0)]),
        "más contrastada,más contrastado,contrastar,más profundidad,más definición en el contraste,quitar la neblina,\
         más fuerza en el contraste",
    ),
    (Change(&[(P::Contrast, -1.0)]), "menos contraste,menos contrastada,menos dura,menos duro,contraste más suave"),
    (
        Change(&[(P::Color, 1.0)]),
        "más color,más vida,más viva,más vivo,más vivos,más vivas,más colorido,más colorida,avivar,aviva,avive,saturar,satura,\
         más saturada,más saturados,colores vivos,colores más fuertes,colores intensos,más intensos,más intensas,\
         más intensidad,tengan más vida,dar vida,dale vida,dar color,dale color,realzar los colores,resaltar los colores,\
         más alegre,más alegres",
    ),
    (Change(&[(P::Sharpness, -1.0)]), "menos nítida,menos nítido,menos nitidez,más suave"),
    (
        Change(&[(P::Shadows, 1.0)]),
        "aclarar las sombras,aclara las sombras,sombras más claras,menos sombras,abrir las sombras,abre las sombras,\
         suavizar las sombras,suaviza las sombras,contraluz,a contraluz,levantar sombras,iluminar los rincones",
    ),
    (
        Change(&[(P::Shadows, -1.0)]),
        "sombras más profundas,sombras más oscuras,oscurecer las sombras,oscurece las sombras,negros más profundos,\
         negros más intensos,más negros,profundizar las sombras,sombras más marcadas,más sombra",
    ),
    (
        Change(&[(P::Highlights, 1.0)]),
        "recuperar las luces altas,bajar las luces altas,baja los blancos,bajar los blancos,bajar las altas luces,\
         recuperar los blancos",
    ),
    (
        Change(&[(P::Highlights, -1.0)]),
        "subir las luces altas,sube las luces altas,subir las altas luces,luces altas más brillantes",
    ),
    (
        Change(&[(P::WhiteBalance, 1.0)]),
        "neutralizar,neutraliza,corregir los colores,corrige los colores,corregir el color,corrige el color,tonos neutros,\
         corrección de color",
    ),
    (
        Change(&[(P::Shadows, 1.0), (P::Highlights, 1.0)]),
        "equilibrar la luz,equilibra la luz,igualar la luz,iguala la luz,luz más uniforme,iluminación uniforme,\
         iluminación más uniforme,equilibrar la iluminación,equilibra la iluminación,uniformar la luz,balancear la luz,\
         emparejar la luz,equilibrar la exposición,equilibra la exposición,luz pareja",
    ),
    (
        Quality(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]),
        "aireada,aireado,luminosa y aireada,clara y aireada,ligera y luminosa,diáfana,diáfano",
    ),
    (Fault(&[(P::Contrast, -1.0)]), "demasiado contraste,muy contrastada,demasiado contrastada,dura,duro,duras,dureza"),
    (
        Fault(&[(P::Color, -1.0)]),
        "chillón,chillones,chillona,chillonas,sobresaturada,sobresaturado,sobresaturados,demasiado saturada,demasiado vivos,\
         demasiado color,estridente,estridentes,fosforito,fosforescente,muy saturada,radiactivo,radiactivos,hortera,llamativos",
    ),
    (Fault(&[(P::Sharpness, -1.0)]), "demasiado nítida,demasiado nítido,demasiado enfocada"),
    (
        Dry,
        "seco,seca,secos,quemado por el sol,marrón,café,muerto,muerta,marchito,marchita,pelado,pelada,calvas,amarillento,verde,\
         verdes,frondoso,frondosa,más marrón que verde,más amarillo que verde",
    ),
    (Yard, "jardín,patio,terreno,jardines,parcela"),
    (
        Setting(P::Indoors),
        "foto de interior,interior,es un interior,en interior,en interiores,foto interior,toma interior,dentro de casa,\
         de interior,de interiores,es interior",
    ),
    (
        Setting(P::Outdoors),
        "foto de exterior,exterior,es un exterior,en exterior,en exteriores,foto exterior,toma exterior,de exterior,\
         de exteriores,al aire libre,es exterior",
    ),
    (Verb(Do::Pop), "chispa,garra,fuerza,impacto,dale chispa,gancho,que destaque,que resalte,punch,vidilla"),
    (
        Verb(Do::Balance),
        "equilibrar,equilibra,igualar,iguala,uniformar,emparejar,balancear,compensar la luz,igualad,igualadla,\
         igualadlo",
    ),
    (Verb(Do::Leave), "dejar,deja,deje,dejad,dejen,déjalo así,déjala así"),
    (
        Fine,
        "está bien,están bien,está perfecta,está perfecto,están perfectos,están perfectas,es perfecta,me gusta,nos gusta,\
         está genial,está correcta,está correcto,es correcta,así está bien,es intencional,es a propósito,es intencionado,\
         me encanta,son correctos",
    ),
    (Stain, "mancha,manchas,suciedad,sucio,sucia,mugre"),
    (
        Refused(R::Season),
        "verano,invierno,otoño,primavera,navidad,nevado,nevada,navideño,otoñal,invernal,veraniego,estación del año",
    ),
    (
        Refused(R::Lens),
        "distorsión,distorsiones,ojo de pez,gran angular,aberración cromática,aberración,deformación,deformada,deformado,\
         corrección de lente,distorsionada,distorsionado,barril",
    ),
    (Unlike, "que en la realidad,de lo que es,que en realidad,que en persona"),
];
