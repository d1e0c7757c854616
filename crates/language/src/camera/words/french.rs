//! French.

use crate::camera::item::CameraMove as M;
use crate::camera::item::Direction as To;
use crate::camera::item::Item::{self, *};
use crate::camera::item::Refusal as R;
use crate::camera::item::Verb as Do;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Moves(&[M::PushIn]),
        "travelling avant,zoom avant,avancer,avance,se rapprocher,rapproche,approche,zoomer,zoome,entrer,entre,avancez,\
         approcher,approchez,rapprochez,zoomez,entrez,zoom sur,zoom vers,zoom,travelling vers l avant,travelling avant vers,\
         en avançant,s avancer,s approcher,approche toi,approchez vous,approchez de,rapprochez vous,rapprochement,plus près,\
         de plus près,au plus près,aller vers l avant,mouvement avant,mouvement vers l avant,pénétrer,pénètre,pénétrez,\
         marcher vers,marchez vers,pousser,poussez vers,dolly avant,avancée",
    ),
    (
        Moves(&[M::PullOut]),
        "travelling arrière,zoom arrière,reculer,recule,dézoomer,dézoome,éloigne,éloigner,s éloigne,reculez,dézoomez,éloignez,\
         travelling vers l arrière,s éloigner,éloignez vous,éloignement,en reculant,recul,reculez la caméra,marche arrière,\
         plus loin,sortir,sortez,mouvement arrière,prendre du recul,prenez du recul,dézoom,zoom out,élargir,élargissez,\
         élargir le plan,élargissez le plan,dolly arrière,du détail au plan large,plus large,voir plus large,plan plus large",
    ),
    (
        Moves(&[M::TiltUp]),
        "panoramique vertical haut,panoramique vers le haut,basculer vers le haut,incliner vers le haut,inclinez vers le haut,\
         regarder en haut,regarder vers le haut,regardez vers le haut,regardez en haut,lever les yeux,levez les yeux,\
         lever la tête,levez la tête,pano vers le haut,plan vers le haut,lever le regard,levez le regard,tilt haut,\
         panoramique haut,regard monter,regard monte,regard vers le haut",
    ),
    (
        Moves(&[M::TiltDown]),
        "panoramique vertical bas,panoramique vers le bas,basculer vers le bas,incliner vers le bas,inclinez vers le bas,\
         regarder en bas,regarder vers le bas,regardez vers le bas,regardez en bas,baisser les yeux,baissez les yeux,\
         baisser la tête,baissez la tête,baisser le regard,baissez le regard,pano vers le bas,tilt bas,panoramique bas,\
         regard descendre,regard descend,regard vers le bas",
    ),
    (
        Moves(&[M::Hold]),
        "plan fixe,caméra fixe,fixe,immobile,statique,aucun mouvement,sans mouvement,sans bouger,ne pas bouger,ne bouge pas,\
         ne bougez pas,rien ne bouge,ne doit pas bouger,doit pas bouger,aucun déplacement,pas de mouvement,\
         pas de mouvement de caméra,caméra immobile,fixes,figé,figée,image fixe,sur pied,sur trépied,trépied,restez immobile,\
         reste immobile,rester immobile,restez fixe,caméra statique,plan statique,sans aucun mouvement,ne bouge surtout pas,\
         stable et fixe,immobiles,sans déplacement",
    ),
    (
        Moves(&[M::FlyThrough]),
        "traverser,survol à travers,vol à travers,voler à travers,vole à travers,drone à travers,drone traverse,\
         drone qui traverse,traversez,traverse,traversée,drone fpv,fpv,drone de course,passer à travers,passe à travers,\
         vole dans,volez dans,voler dans",
    ),
    (
        Moves(&[M::Reveal]),
        "révéler,révèle,dévoiler,dévoile,dévoilez,révélez,révélation,découvrir,découvre,découvrez,dévoilement,faire apparaître",
    ),
    (
        Moves(&[M::DollyZoom]),
        "travelling compensé,effet vertigo,vertigo,effet hitchcock,zoom compensé,transtrav,effet sueurs froides",
    ),
    (Usual(&[M::PushIn, M::Rise]), "vue aérienne,survoler,survol,drone,vol de drone,vue de drone,plan de drone"),
    (
        Verb(Do::Slide),
        "travelling,travelling latéral,glisser,glisse,latéral,glissez,glissement,coulisser,coulissez,translation,\
         translation latérale,déplacement latéral,mouvement latéral,sur le côté,sur rails,sur des rails,slider,latéralement,\
         de côté,longer,longez,longe",
    ),
    (
        Verb(Do::Go),
        "déplacer,déplace,bouger,bouge,flotter,flotte,aller,mouvement,bougez,déplacez,glissez vers,flottez,déplacement,allez,\
         va,vas,passez,passer,passe,flottement,se déplace,se déplacer,planer,plane,mouvoir,promener,promenez,promenade",
    ),
    (
        Verb(Do::Pan),
        "panoramique,balayage,panoramique horizontal,pano,balayer,balayez,balaye,panoramiquez,panorama,balaie,tour d horizon",
    ),
    (
        Verb(Do::Look),
        "tourner,tourne,pivoter,pivote,regarder,tournez,pivotez,regarde,regardez,regard,tourner la caméra,tournez la caméra,\
         tourner la tête,tournez la tête,orienter,orientez,diriger,dirigez,rotation,pivotement",
    ),
    (Verb(Do::Tilt), "incliner,incline,basculer,inclinez,inclinaison,basculez,bascule"),
    (
        Verb(Do::Crane),
        "monter,monte,s élever,élève,grue,élever,montez,élevez,mouvement de grue,plan grue,plan de grue,montée,\
         s élever doucement,monter doucement,élevez la caméra,prendre de la hauteur,prenez de la hauteur,décoller,décolle,\
         décollez,décollage,soulever,soulevez,ascension,grimper,grimpe,hausser,en montant,remonter,remontez",
    ),
    (
        Verb(Do::Sink),
        "descendre,descends,descend,descendez,abaisser,abaisse,descente,abaissez,baisser la caméra,baissez la caméra,baisser,\
         baissez,baisse,redescendre,redescendez,en descendant,atterrir,atterrissage,plonger,plongez",
    ),
    (
        Verb(Do::Orbit),
        "orbite,tourner autour,tourne autour,contourner,arc de cercle,tournez autour,tourner autour de,tournoyer,orbiter,\
         orbitez,orbital,contournez,contourne,faire le tour,faites le tour,fais le tour,faire un tour,faites un tour,\
         tour complet,demi tour autour,demi cercle,en cercle,cercle,en arc,arc,mouvement circulaire,circulaire,rotation autour,\
         tourne autour de,encercler,tourner en rond,virevolter",
    ),
    (
        Direction(To::In),
        "avant,vers,dans,en avant,vers l avant,vers l intérieur,dedans,à l intérieur,tout droit,en direction",
    ),
    (Direction(To::Out), "arrière,en arrière,vers l arrière,dehors,vers l extérieur"),
    (Direction(To::Left), "gauche,à gauche,vers la gauche,sur la gauche,vers gauche,côté gauche"),
    (Direction(To::Right), "droite,à droite,vers la droite,sur la droite,vers droite,côté droit"),
    (Direction(To::Up), "haut,vers le haut,au dessus,en haut,en hauteur,au dessus de"),
    (Direction(To::Down), "bas,vers le bas,en bas"),
    (Direction(To::Rightward), "de gauche à droite,gauche à droite"),
    (Direction(To::Leftward), "de droite à gauche,droite à gauche"),
    (Direction(To::Around), "autour"),
    (Direction(To::Across), "le long,en travers,parallèle"),
    (
        Manner(0.65),
        "lent,lente,lentement,doux,douce,doucement,calme,peu à peu,petit à petit,lentes,lents,plus lent,plus lente,\
         plus lentement,tranquille,tranquillement,calmement,posé,posément,délicat,délicate,délicatement,en douceur,\
         tout en douceur,tout doucement,ralenti,au ralenti,paisible,paisiblement,apaisant,sans se presser,sans précipitation,\
         progressif,progressive,progressivement,graduellement,gentiment,mollo,mou,flottant,flottante",
    ),
    (
        Manner(0.5),
        "léger,légère,légèrement,subtil,un peu,un petit peu,à peine,subtile,subtilement,discret,discrète,discrètement,minime,\
         imperceptible",
    ),
    (
        Manner(1.0),
        "fluide,cinématique,cinématographique,élégant,stable,fluides,fluidité,régulier,régulière,constant,constante,stabilisé,\
         stabilisée,cinéma,style cinéma,comme au cinéma,élégante,naturel,naturelle,professionnel",
    ),
    (
        Manner(1.3),
        "rapide,rapidement,vite,dynamique,rapides,plus vite,plus rapide,plus rapidement,vif,vive,vivement,énergique,énergie,\
         plus d énergie,plus dynamique,dynamisme,nerveux,nerveuse,pressé,rythmé,rythmée,entraînant,tonique,à toute vitesse,grande vitesse,à grande vitesse,\
         à toute allure,rythme,du rythme",
    ),
    (
        Manner(1.4),
        "dramatique,spectaculaire,dramatiquement,spectaculaires,fort,forte,intense,épique,impressionnant,impressionnante,\
         grandiose,brutal,brusque,sauvage,fou,folle",
    ),
    (Very, "très,bien,super,vraiment,plus,assez,extrêmement,hyper"),
    (Too, "trop,beaucoup trop,un peu trop,si"),
    (Less, "moins"),
    (
        No,
        "sans,ni,au lieu de,plutôt que,éviter,évite,évitez,pas,aucun,aucune,jamais,surtout pas,pas de,évitons,ne veux pas,\
         n utilisez pas,interdit,jamais de,plutôt que de,sans aucun",
    ),
    (
        Refused(R::Shake),
        "caméra à l épaule,caméra portée,à l épaule,tremblement,tremblante,trembler,tremble,tremblé,tremblements,secoué,\
         secouée,secousses,secouer,instable,à la main,tenue à la main,amateur,bougé,saccadé,vlog",
    ),
    (
        Refused(R::Focus),
        "flou,profondeur de champ,mise au point,changement de point,bascule de point,faire le point,arrière plan flou,\
         fond flou,flouter,bokeh,flou artistique,netteté,flou d arrière plan",
    ),
    (
        Refused(R::Motion),
        "gens,personnes,rideaux,accéléré,personne,quelqu un,enfant,enfants,femme,homme,chien,chat,marchent,qui marchent,rideau,\
         vent,dans le vent,bouger au vent,arbres qui bougent,feuilles,feuilles qui bougent,eau,eau qui coule,eau qui bouge,\
         vagues,onduler,ondule,nuages,nuages qui passent,nuages qui défilent,coucher du soleil en accéléré,timelapse,\
         time lapse,feu,feu qui brûle,flammes,bougies,bougie,fumée,vapeur,pluie,neige,neiger,pleuvoir,oiseaux,\
         oiseaux qui volent,voiture qui passe,voiture qui roule,voitures,porte s ouvre,porte qui s ouvre,ouvrir la porte,\
         lumières s allument,allumer,allumez,s allument,prendre vie,ventilateur,animer,animez,jour à la nuit,tombée de la nuit,\
         dansent,danser,nager,nageur,passants",
    ),
    (
        Refused(R::Sound),
        "musique,son,musique douce,sons,bruit,bruits,bruitage,bruitages,chant,chants d oiseaux,chant des oiseaux,voix,voix off,\
         chanson,bande son,mélodie,audio,narration,commentaire,muet,sonore,ambiance sonore,piano doux,du piano,piano en fond,\
         piano de fond",
    ),
    (
        Refused(R::Add),
        "ajouter,ajoute,enlever,ajoutez,rajouter,rajoute,rajoutez,mettez,mettre un,mets un,insérer,insérez,incruster,incrustez,\
         texte,titre,titres,sous titre,sous titres,logo,prix,filigrane,enlève,enlevez,supprimer,supprimez,retirer,retirez,\
         remplacer,remplacez,effacer,effacez,meubler,meubles en plus,numéro de téléphone,coordonnées,bandeau,flèche,\
         sapin de noël,feu d artifice",
    ),
    (
        Refused(R::View),
        "vue du dessus,plongée,contre plongée,derrière la porte,derrière la maison,derrière le mur,ce qu il y a derrière,\
         autre pièce,autres pièces,autre chambre,autre côté,pièce voisine,pièce d à côté,pièce à côté,à l étage,autre angle,\
         angle différent,vue de dessus,vue d oiseau,vue du ciel,vue aérienne verticale,vue d en haut,vu d en haut,vu du dessus,\
         de dessus,d en dessous,vue de dos,vue satellite,reste de la maison,reste de l appartement,derrière nous,\
         de l extérieur,contre champ,dans l autre pièce,chambre d à côté,d à côté,chambre voisine,salle d à côté,\
         l autre chambre",
    ),
    (
        Target,
        "de,du,des,sur,au,aux,par,depuis,jusqu,devant,derrière,entre,près de,à côté,comme,pour,afin,chez,contre,sous,\
         pour qu on,pour voir,jusqu au,jusqu à",
    ),
    (
        Showing,
        "montrant,montrer,montrez,montre,voir,qu on voie,qu on voit,présenter,présentez,faire voir,admirer,on voit,on voie",
    ),
    (
        Filler,
        "ne,n,le,la,les,l,un,une,caméra,d,s,se,en,plan,pièce,salon,cuisine,maison,il,vous,plait,svp,fenêtre,à,prise,vue,qui,ce,\
         bonjour,merci,merci beaucoup,salut,bonsoir,stp,s il te plaît,s il vous plaît,veuillez,pouvez vous,pourriez vous,\
         peux tu,pourrais tu,pouvez,pourriez,peux,j,je,tu,nous,on,ils,elle,lui,me,moi,mon,ma,notre,nos,votre,vos,cette,cet,ces,\
         cela,ça,c,est,soit,sera,serait,voudrais,veux,voulons,aimerais,aimerions,souhaite,faire,faites,fais,fait,donner,donnez,\
         donne,avoir,il faut,faut,doit,peut,possible,simple,simplement,juste,seulement,vidéo,clip,film,photo,image,mouvements,\
         effet,style,genre,type,chambre,salle,salle de bain,salle à manger,séjour,entrée,couloir,jardin,terrasse,balcon,\
         piscine,cheminée,table,canapé,lit,îlot,escalier,porte,porte d entrée,bâtiment,immeuble,appartement,villa,façade,\
         baie vitrée,fois ci,cette fois,dernière fois,dernier,dernière,la dernière,le dernier clip,encore,même,aussi,puis,\
         alors,donc,voilà,très beau,beau,belle,joli,jolie,ambiance,impression,toute,ensemble,entier,entière,côté,coin,milieu,\
         centre,petit,petite,grand,grande,du tout,à hauteur des yeux",
    ),
    (
        Verb(Do::Parallax),
        "parallaxe,effet parallaxe,effet de parallaxe,profondeur,effet de profondeur,effet 3d,relief,effet de relief,en relief,\
         impression de profondeur,plus de profondeur,tridimensionnel,donner du relief,photo 3d",
    ),
    (Verb(Do::Fly), "voler,vole,volez,vol,voler au"),
    (Direction(To::Through), "à travers,au travers"),
    (Direction(To::Clockwise), "sens horaire,dans le sens des aiguilles"),
    (Direction(To::Counterclockwise), "sens antihoraire,sens inverse des aiguilles"),
    (High, "plafond,toit,lustre,poutre,poutres,ciel,toiture,verrière,charpente"),
    (Low, "sol,plancher,parquet,carrelage,tapis,pelouse,moquette"),
    (Wide, "large,plan large,plan d ensemble,vue d ensemble"),
    (Close, "gros plan,serré,plan serré,détail,près"),
    (Start, "commencer,commence,commencez,débuter,débute,débutez,démarrer,démarrez,partir,partez,au début,d abord"),
    (End, "finir,finissez,finit,terminer,terminez,termine,arriver,arrivez,arrêter,arrêtez,à la fin,enfin,jusqu à voir"),
    (
        Refused(R::Roll),
        "tonneau,rouler,roulis,horizon penché,cadrage penché,plan hollandais,tête en bas,pirouette,à l envers,vrille",
    ),
    (
        Refused(R::Grade),
        "couleur,couleurs,plus chaud,plus chaude,plus froid,plus lumineux,plus lumineuse,plus clair,plus claire,plus sombre,\
         luminosité,contraste,saturation,noir et blanc,sépia,filtre,étalonnage,coucher de soleil,crépuscule,nuit,de nuit,\
         heure dorée,couleurs vives,couleurs intenses,plus de lumière,plus vives,jaune,moins jaune,ciel bleu,exposition,grain,vintage,chaleureux,plus chaleureux,éclaircir,éclaircissez,\
         assombrir,teinte,balance des blancs",
    ),
    (
        Refused(R::Cut),
        "coupe,coupes,coupures,montage,plusieurs plans,plusieurs angles,différents plans,différents angles,fondu,fondu au noir,\
         fondu enchaîné,transition,transitions,boucle,en boucle,ralenti puis accéléré,accélérer,accélérez,ralentir à la fin,\
         aller retour,va et vient,écran partagé,avant après,diaporama,répéter,plan suivant,changement de plan,\
         à l envers en boucle",
    ),
];
