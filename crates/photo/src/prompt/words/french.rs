//! French.

use crate::prompt::item::Item::{self, *};
use crate::prompt::item::Verb as Do;
use crate::prompt::request::Property as P;
use crate::prompt::request::Refusal as R;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Change(&[(P::Exposure, 1.0)]),
        "éclaircir,éclaircis,éclaircissez,illuminer,illumine,éclairer,illuminez,éclairez,laisser entrer la lumière,\
         laisser entrer plus de lumière,plus de lumière,plus de luminosité",
    ),
    (Change(&[(P::Exposure, -1.0)]), "assombrir,assombris,foncer,assombrissez,foncez,assombrit"),
    (Change(&[(P::Warmth, 1.0)]), "réchauffe,réchauffer,réchauffez,heure dorée"),
    (Change(&[(P::Warmth, -1.0)]), "refroidir,refroidis,refroidissez"),
    (Change(&[(P::Color, -1.0)]), "désaturer,désature,désaturez"),
    (Change(&[(P::Sharpness, 1.0)]), "accentuer la netteté"),
    (Change(&[(P::Noise, 1.0)]), "débruiter,réduction du bruit"),
    (
        Change(&[(P::Shadows, 1.0)]),
        "déboucher les ombres,débouche les ombres,déboucher,débouche,débouchez les ombres,débouchez",
    ),
    (Quality(&[(P::Exposure, 1.0)]), "lumineux,lumineuse,clair,claire,clairs,claires,lumineuses"),
    (Quality(&[(P::Warmth, 1.0)]), "chaud,chaude,chauds,chaudes,chaleureux,chaleureuse,accueillant,cosy,accueillante"),
    (Quality(&[(P::Color, 1.0)]), "vif,vive,vifs,vives,éclatant,éclatantes,saturé,saturée,coloré,saturées"),
    (Quality(&[(P::Sharpness, 1.0)]), "net,nette,nets,nettes"),
    (Quality(&[(P::Sharpness, -1.0)]), "doux,douce"),
    (Quality(&[(P::WhiteBalance, 1.0)]), "blanc,blanche,blancs,blanches,neutre,neutres"),
    (Quality(&[(P::Upright, 1.0)]), "droit,droite,droites,vertical"),
    (
        Quality(&[(P::Natural, 1.0)]),
        "naturel,naturelle,naturelles,réaliste,professionnel,professionnelle,mieux,beau,belle,meilleure",
    ),
    (Fault(&[(P::Exposure, 1.0)]), "sombre,sombres,obscur,obscure,sous exposé,sous exposée,sous exposition"),
    (Fault(&[(P::Exposure, -1.0)]), "surexposé,surexposée"),
    (Fault(&[(P::Warmth, -1.0)]), "jaune,jaunes,jaunâtre,dominante jaune,orangé"),
    (Fault(&[(P::Warmth, 1.0)]), "froid,froide,froids,bleuté,bleutée,bleu,bleue"),
    (Fault(&[(P::WhiteBalance, 1.0)]), "dominante,dominante de couleur,dominante verte"),
    (Fault(&[(P::Contrast, 1.0), (P::Color, 1.0)]), "terne,ternes,fade,délavé,délavée,plat,plate"),
    (Fault(&[(P::Contrast, 1.0)]), "brume,voile"),
    (Fault(&[(P::Sharpness, 1.0)]), "flou,floue"),
    (Fault(&[(P::Noise, 1.0)]), "bruit,bruitée,granuleux,grain de la photo"),
    (Fault(&[(P::Upright, 1.0)]), "penché,penchée,incliné,inclinée,de travers"),
    (Fault(&[(P::Highlights, 1.0)]), "brûlé,brûlée,brûlées,cramé,brûler,cramer,cramée,cramées"),
    (Property(P::Exposure), "luminosité,exposition"),
    (Property(P::Warmth), "chaleur,température"),
    (Property(P::Contrast), "contraste,contrastes,clarté"),
    (Property(P::Color), "couleur,couleurs,saturation,teintes"),
    (Property(P::Sharpness), "netteté,détails"),
    (Property(P::Shadows), "ombre,ombres,zones sombres"),
    (Property(P::Highlights), "hautes lumières,zones claires"),
    (Property(P::WhiteBalance), "balance des blancs,balance blancs"),
    (Property(P::Upright), "verticales,lignes verticales,horizon,perspective,lignes,de niveau"),
    (Property(P::Windows), "fenêtre,fenêtres,vue par la fenêtre,vue extérieure"),
    (Property(P::Sky), "ciel,ciel bleu,beau temps,ensoleillé,ensoleillée"),
    (Property(P::Dusk), "crépuscule,coucher de soleil,coucher du soleil,heure bleue,soirée,soir"),
    (Property(P::Lawn), "pelouse,gazon,herbe,pelouse verte,pelouse plus verte"),
    (Property(P::Indoors), "intérieur"),
    (Property(P::Outdoors), "extérieur"),
    (Task(P::Upright), "redresser,redresse,redressez"),
    (Light, "lumière,éclairage"),
    (
        Verb(Do::Increase),
        "augmenter,augmente,augmentez,renforcer,renforce,monter,relever,relève,accentuer,renforcez,accentuez,relevez,montez,\
         remonter",
    ),
    (
        Verb(Do::Decrease),
        "réduire,réduis,réduisez,diminuer,diminue,baisser,baisse,atténuer,atténue,adoucir,diminuez,baissez,atténuez,adoucissez",
    ),
    (Verb(Do::Enhance), "améliorer,améliore,améliorez,embellir"),
    (Verb(Do::Correct), "corriger,corrige,corrigez,réparer,ajuster,ajustez,réparez,rectifier,rectifiez"),
    (
        Verb(Do::Recover),
        "récupérer,récupère,restaurer,montrer,récupérez,restaurez,montrez,voir,retrouver,faire apparaître",
    ),
    (
        Verb(Do::Remove),
        "enlever,enlève,enlevez,supprimer,supprime,supprimez,effacer,efface,retirer,retire,effacez,retirez,virer,virez,ôter,\
         gommer,gommez,éliminer",
    ),
    (Verb(Do::Hide), "cacher,cache,masquer,dissimuler,cachez,masquez,camoufler,disparaître,faire disparaître"),
    (Verb(Do::Add), "ajouter,ajoute,ajoutez,mettre,mets,mettez,rajouter,rajoutez,installer,placer,placez"),
    (Verb(Do::Replace), "remplacer,remplace,remplacez,transformer,transforme,transformez"),
    (Verb(Do::Touch), "changer,changez,modifier,modifie,toucher,touche,touchez,retoucher,modifiez,retouchez"),
    (
        Verb(Do::Keep),
        "garder,garde,gardez,conserver,conserve,laisser,laisse,laissez,conservez,préserver,préservez,maintenir",
    ),
    (Verb(Do::Stretch), "plus grand,plus grande,agrandir,plus spacieux,plus spacieuse,plus large,élargir"),
    (
        Thing,
        "voiture,voitures,véhicule,personne,personnes,gens,poubelle,poubelles,câble,câbles,fils électriques,ligne électrique,\
         lignes électriques,poteau,meuble,meubles,canapé,chien,chat,panneau,arbre,arbres,reflet,reflets,piscine,fleurs,objets,\
         vélo,désordre,filigrane,table,chaise,chaises,lit,tapis,lampe,plante,plantes,vaisselle,jouets,linge,pylône,antenne,\
         voisins",
    ),
    (Surface, "mur,murs,plafond,sol,façade,toit,porte,portes,placards,plan de travail"),
    (Damage, "fissure,fissures,trou,tache,taches,moisissure,dégâts,rayure"),
    (Refused(R::Remove), "désencombrer,ranger,vider la pièce"),
    (Refused(R::Add), "meubler,home staging,décorer"),
    (Refused(R::Alter), "repeindre,peindre,rénover,couleur des murs"),
    (Refused(R::Lights), "allumer,allume les lumières,lumières allumées,feu de cheminée,allumer les lumières,allume"),
    (Refused(R::TimeOfDay), "nuit,de nuit,étoiles"),
    (Refused(R::Style), "noir et blanc,aquarelle,sépia,dessin"),
    (Refused(R::Frame), "recadrer,recadre,pivoter,retourner"),
    (Refused(R::Blur), "flouter,floute,flou d arrière plan"),
    (Refused(R::Resolution), "résolution"),
    (Degree(0.5), "un peu,légèrement,peu,légère,subtil,doucement,discrètement"),
    (Degree(1.75), "beaucoup,très,fortement,bien,nettement,vraiment"),
    (More, "plus,davantage"),
    (Less, "moins"),
    (Too, "trop"),
    (Enough, "assez"),
    (No, "ni,au lieu de,plutôt que,éviter,évitez,pas,sans,aucun,aucune,jamais,ne pas,pas de,rien"),
    (Excess, "exagérer,exagéré,artificiel,sans exagérer,pas trop"),
    (Only, "seulement,uniquement"),
    (Anything, "tout le reste"),
    (Where, "dans,sur,par,derrière"),
    (
        Filler,
        "le,la,les,l,un,une,des,du,de,d,rends,rendre,rendez,image,photo,s,il,vous,te,plait,svp,pièce,salon,cuisine,chambre,\
         maison,faire,fais,faites,que,soit,est,c,ce,cette,avec,pour,en,au,aux,nouveau,ne,n,qui,très peu,ambiance,style,\
         plus verte,vert,verte,vertes,on,gris,à",
    ),
];
