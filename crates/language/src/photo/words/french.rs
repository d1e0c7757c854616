//! French.

use crate::photo::item::Item::{self, *};
use crate::photo::item::Verb as Do;
use crate::photo::request::Property as P;
use crate::photo::request::Refusal as R;

pub(super) const WORDS: &[(Item, &str)] = &[
    (
        Change(&[(P::Exposure, 1.0)]),
        "éclaircir,éclaircis,éclaircissez,illuminer,illumine,éclairer,illuminez,éclairez,laisser entrer la lumière,\
         laisser entrer plus de lumière,plus de lumière,plus de luminosité,éclaircissement,plus clair,plus claire,\
         plus lumineux,plus lumineuse,ajouter de la lumière,ajoutez de la lumière,mettez de la lumière,donner de la lumière,\
         apporter de la lumière,donnez de la lumière,plus éclairé,plus éclairée,augmenter la lumière,rehausser la lumière",
    ),
    (
        Change(&[(P::Exposure, -1.0)]),
        "assombrir,assombris,foncer,assombrissez,foncez,assombrit,plus sombre,plus foncé,plus foncée,moins lumineux,\
         moins lumineuse,moins clair,moins claire,moins de lumière,baisser la lumière,moins exposé,moins exposée",
    ),
    (
        Change(&[(P::Warmth, 1.0)]),
        "réchauffe,réchauffer,réchauffez,heure dorée,plus chaleureux,plus chaleureuse,plus de chaleur,plus cosy,\
         plus accueillant,plus accueillante,tons chauds,tons plus chauds,plus doré,plus chaudes,moins bleu,moins bleue,\
         moins froid,moins froide,moins bleuté",
    ),
    (
        Change(&[(P::Warmth, -1.0)]),
        "refroidir,refroidis,refroidissez,plus froid,plus froide,plus frais,plus fraîche,tons froids,tons plus froids,\
         moins chaud,moins chaude,moins de jaune,moins orangé,refroidissement",
    ),
    (
        Change(&[(P::Color, -1.0)]),
        "désaturer,désature,désaturez,moins coloré,moins colorée,moins de couleur,moins vif,moins vive,moins saturé,\
         moins saturée,moins criard,moins flashy,moins de saturation,adoucir les couleurs,couleurs plus douces,plus sobre,\
         moins vives",
    ),
    (
        Change(&[(P::Sharpness, 1.0)]),
        "accentuer la netteté,plus nette,plus net,plus de netteté,affiner,affûter,affûtez,rendre net,piqué,plus de piqué,\
         plus précis,plus détaillé,plus détaillée,plus de détails,affinez",
    ),
    (
        Change(&[(P::Noise, 1.0)]),
        "débruiter,réduction du bruit,réduire le bruit,débruitez,débruitage,moins de bruit,moins de grain,enlever le grain,\
         enlever le bruit,lisser le grain,supprimer le grain",
    ),
    (
        Change(&[(P::Shadows, 1.0)]),
        "déboucher les ombres,débouche les ombres,déboucher,débouche,débouchez les ombres,débouchez,éclaircir les ombres,\
         ombres plus claires,moins d ombres,remonter les ombres,ouvrir les ombres,adoucir les ombres,contre jour,à contre jour,\
         contrejour,relever les ombres,éclaircir les coins",
    ),
    (
        Quality(&[(P::Exposure, 1.0)]),
        "lumineux,lumineuse,clair,claire,clairs,claires,lumineuses,éclairé,éclairée,ensoleillement,baigné de lumière,\
         baignée de lumière",
    ),
    (
        Quality(&[(P::Warmth, 1.0)]),
        "chaud,chaude,chauds,chaudes,chaleureux,chaleureuse,accueillant,cosy,accueillante,convivial,conviviale,douillet,\
         douillette,confortable,cocooning,cocoon,invitant,invitante,chaleur",
    ),
    (
        Quality(&[(P::Color, 1.0)]),
        "vif,vive,vifs,vives,éclatant,éclatantes,saturé,saturée,coloré,saturées,éclatants,colorée,punchy,pétillant",
    ),
    (Quality(&[(P::Sharpness, 1.0)]), "net,nette,nets,nettes,précis,précise,détaillé,croustillant,bien net,bien nette"),
    (Quality(&[(P::Sharpness, -1.0)]), "doux,douce"),
    (
        Quality(&[(P::WhiteBalance, 1.0)]),
        "blanc,blanche,blancs,blanches,neutre,neutres,neutralisé,blanc pur,vraiment blanc,vraiment blancs",
    ),
    (
        Quality(&[(P::Upright, 1.0)]),
        "droit,droite,droites,vertical,aligné,alignés,d aplomb,aplomb,à niveau,bien droit,bien droits,bien droite,bien droites,\
         horizontal,parallèle,parallèles",
    ),
    (
        Quality(&[(P::Natural, 1.0)]),
        "naturel,naturelle,naturelles,réaliste,professionnel,professionnelle,mieux,beau,belle,meilleure,joli,jolie,pro,\
         comme un pro,magazine,réel,réelle,authentique,fidèle,fidèle à la réalité,véridique,crédible,vendeur,attrayant,\
         attrayante,attractif,attractive,impeccable,sublime,embellissez,top,parfait,parfaite,élégant,élégante,luxueux,\
         plus beau,plus belle,joli rendu,qualité,meilleur,propre,frais,fraîche",
    ),
    (
        Fault(&[(P::Exposure, 1.0)]),
        "sombre,sombres,obscur,obscure,sous exposé,sous exposée,sous exposition,trop foncé,foncé,foncée,lugubre,ténébreux,\
         obscurité,grotte,une grotte,comme dans une grotte,cave,comme une cave,sinistre,manque de lumière,pas assez de lumière,\
         peu lumineux,peu éclairé,pas assez clair,on ne voit rien,on n y voit rien,sous exposés,assombrie,morose,glauque,\
         distingue à peine,on distingue à peine,on distingue mal,on voit mal,tout noir,toute noire,trop noir,trop noire,\
         est noir,est noire",
    ),
    (
        Fault(&[(P::Exposure, -1.0)]),
        "surexposé,surexposée,trop clair,trop claire,surexposition,éblouissant,éblouissante,trop de lumière,trop lumineux,\
         trop lumineuse,aveuglant,sur exposé,sur exposée",
    ),
    (
        Fault(&[(P::Warmth, -1.0)]),
        "jaune,jaunes,jaunâtre,dominante jaune,orangé,jaunie,jauni,tire sur le jaune,tirent sur le jaune,orange,oranger,\
         orangée,ton jaune,teinte jaune,reflet jaune,trop chaud,trop chaude,dominante orange,dominante chaude,ampoules,jaunit,\
         jaunissent",
    ),
    (
        Fault(&[(P::Warmth, 1.0)]),
        "froid,froide,froids,bleuté,bleutée,bleu,bleue,glacial,glaciale,clinique,hôpital,comme un hôpital,stérile,bleutés,\
         tire sur le bleu,tirent sur le bleu,dominante bleue,teinte bleue,bleuâtre,bleuie,aseptisé,aseptisée,froideur,\
         impersonnel,dominante froide",
    ),
    (
        Fault(&[(P::WhiteBalance, 1.0)]),
        "dominante,dominante de couleur,dominante verte,verdâtre,rosé,rosâtre,rougeâtre,violacé,magenta,tire sur le vert,\
         tirent sur le vert,tire sur le rose,tire sur le rouge,teinte verte,teinte rose,teinte bizarre,dominante rose,\
         dominante rouge,dominante magenta,dominantes,couleurs fausses,fausses couleurs,couleurs bizarres,couleurs étranges,\
         couleur bizarre,virage,enlever le vert,enlève le vert,enlevez le vert,retirer le vert,retirez le vert,moins de vert",
    ),
    (
        Fault(&[(P::Contrast, 1.0), (P::Color, 1.0)]),
        "terne,ternes,fade,délavé,délavée,plat,plate,triste,tristes,tristounet,ternit,sans vie,sans relief,fadasse,pâle,pâles,\
         pâlot,délavés,délavées,éteint,éteinte,éteintes,mou,molle,ennuyeux,manque de peps,manque de vie,manque de punch,\
         grisâtre,faible,faibles,fades",
    ),
    (
        Fault(&[(P::Contrast, 1.0)]),
        "brume,voile,brumeux,brumeuse,voilé,voilée,laiteux,laiteuse,embrumé,manque de contraste,pas assez contrasté,brouillard",
    ),
    (
        Fault(&[(P::Sharpness, 1.0)]),
        "flou,floue,flous,floues,bougé,bougée,pas net,pas nette,manque de netteté,imprécis,trouble,mou en détails",
    ),
    (
        Fault(&[(P::Noise, 1.0)]),
        "bruit,bruitée,granuleux,grain de la photo,bruité,bruités,granuleuse,grain,granulé,du grain,plein de grain,pixelisé,\
         pixelisée",
    ),
    (
        Fault(&[(P::Upright, 1.0)]),
        "penché,penchée,incliné,inclinée,de travers,penchent,penche,pencher,tordu,tordue,bancal,bancale,incliner,inclinaison,\
         pas droit,pas droite,pas droits,pas droites,pas d aplomb,pas de niveau,de guingois,fuyantes,convergentes,qui tombent,\
         basculée,en biais,oblique,tombe en arrière",
    ),
    (
        Fault(&[(P::Highlights, 1.0)]),
        "brûlé,brûlée,brûlées,cramé,brûler,cramer,cramée,cramées,cramés,brûlés,surexposées,surexposés,écrêté,écrêtées,\
         reflet du flash,trop blanches,taches de lumière",
    ),
    (Property(P::Exposure), "luminosité,exposition"),
    (Property(P::Warmth), "température"),
    (Property(P::Contrast), "contraste,contrastes,clarté"),
    (Property(P::Color), "couleur,couleurs,saturation,teintes,colorimétrie,coloris,tonalité,tonalités"),
    (Property(P::Sharpness), "netteté,détails,détail,texture,textures,contours,matière,matières,définition"),
    (
        Property(P::Shadows),
        "ombre,ombres,zones sombres,parties sombres,coins sombres,zone sombre,coin sombre,noirs,basses lumières,zones d ombre,\
         recoins,angles sombres,parties foncées,endroits sombres",
    ),
    (
        Property(P::Highlights),
        "hautes lumières,zones claires,lumières hautes,parties claires,zones brûlées,zones surexposées,parties surexposées,\
         blancs brûlés,hautes lumière,zones trop claires,parties trop claires",
    ),
    (Property(P::WhiteBalance), "balance des blancs,balance blancs"),
    (
        Property(P::Upright),
        "verticales,lignes verticales,horizon,perspective,lignes,de niveau,verticalité,horizontale,horizontales,lignes droites,\
         lignes de fuite,aplomb des murs,ligne d horizon,fuyante",
    ),
    (
        Property(P::Windows),
        "fenêtre,fenêtres,vue par la fenêtre,vue extérieure,vue,la vue,vue dehors,dehors,extérieur par la fenêtre,\
         par la fenêtre,par les fenêtres,à travers la fenêtre,à travers les fenêtres,vue sur mer,vue mer,vue sur le jardin,\
         baie vitrée,baies vitrées,vitre,vitres,à travers la vitre,derrière la vitre,ce qu il y a dehors,paysage dehors,\
         panorama,paysage",
    ),
    (
        Property(P::Sky),
        "ciel,ciel bleu,beau temps,ensoleillé,ensoleillée,nuages,nuage,cieux,grand soleil,plein soleil,météo,temps ensoleillé,\
         journée ensoleillée,soleil,beau ciel,ciel ensoleillé,azur,ciel plus bleu,au dessus du toit,au dessus de la maison",
    ),
    (Property(P::Dusk), "crépuscule,coucher de soleil,coucher du soleil,heure bleue,soirée,soir"),
    (
        Property(P::Lawn),
        "pelouse,gazon,herbe,pelouse verte,pelouse plus verte,pelouses,herbe verte,herbe plus verte,gazon vert,gazon plus vert,\
         jardin plus vert,jardin verdoyant,verdure,pelouse bien verte,verdir,reverdir,verdissez,verdoyant,verdoyante",
    ),
    (Property(P::Indoors), "intérieur"),
    (Property(P::Outdoors), "extérieur"),
    (
        Task(P::Upright),
        "redresser,redresse,redressez,remettre droit,remettre d aplomb,mettre droit,mettre à niveau,mettre de niveau,\
         mettez de niveau,remettez droit,remettez d aplomb,redressement,aligner,alignez,remettre à niveau,\
         corriger la perspective,mettez droit,redressage",
    ),
    (Light, "lumière,éclairage,lumière du jour,lumière naturelle,luminaires"),
    (
        Verb(Do::Increase),
        "augmenter,augmente,augmentez,renforcer,renforce,monter,relever,relève,accentuer,renforcez,accentuez,relevez,montez,\
         remonter,rehausser,rehaussez,booster,boostez,intensifier,intensifiez,pousser,poussez,accroître,monte,donner plus,\
         remontez,amplifier,renforcement,souligner,ouvrir,ouvrez",
    ),
    (
        Verb(Do::Decrease),
        "réduire,réduis,réduisez,diminuer,diminue,baisser,baisse,atténuer,atténue,adoucir,diminuez,baissez,atténuez,adoucissez,\
         tempérer,calmer,calmez,modérer,modérez,abaisser,abaissez,descendre,réduction,estomper,limiter,rabaisser,minimiser,\
         adoucis,descendez",
    ),
    (
        Verb(Do::Enhance),
        "améliorer,améliore,améliorez,embellir,optimiser,optimisez,sublimer,sublimez,enjoliver,embellissez,valoriser,valorisez,\
         mettre en valeur,mettez en valeur,peaufiner",
    ),
    (
        Verb(Do::Correct),
        "corriger,corrige,corrigez,réparer,ajuster,ajustez,réparez,rectifier,rectifiez,rectification,correction,rétablir,\
         rétablissez,régler,réglez,arranger,arrangez,ajustement,compenser,remédier",
    ),
    (
        Verb(Do::Recover),
        "récupérer,récupère,restaurer,montrer,récupérez,restaurez,montrez,voir,retrouver,faire apparaître,récupération,ravoir,\
         revoir,retrouvez,visible,visibles,faire réapparaître,qu on voie,qu on voit,on voie,rattraper,rattrapez,sauver,sauvez,\
         on voit,voie",
    ),
    (
        Verb(Do::Remove),
        "enlever,enlève,enlevez,supprimer,supprime,supprimez,effacer,efface,retirer,retire,effacez,retirez,virer,virez,ôter,\
         gommer,gommez,éliminer,débarrasser,débarrassez,dégager,dégagez,éliminez,ôtez,faire disparaître les objets,suppression,\
         retrait,enlevé,enlevez moi,supprimé,nettoyer de,effaçage,disparaître,faire disparaître",
    ),
    (
        Verb(Do::Hide),
        "cacher,cache,masquer,dissimuler,cachez,masquez,camoufler,recouvrir,recouvrez,dissimulez,planquer,camouflez,\
         atténuer la fissure,reboucher,rebouchez,qu on ne voie plus,ne se voie,personne ne voie,personne ne le voie,\
         personne ne remarque,que personne ne voie",
    ),
    (
        Verb(Do::Add),
        "ajouter,ajoute,ajoutez,mettre,mets,mettez,rajouter,rajoutez,installer,placer,placez,poser,posez,insérer,insérez,\
         incruster,incrustez,introduire,rajout",
    ),
    (
        Verb(Do::Replace),
        "remplacer,remplace,remplacez,transformer,transforme,transformez,échanger,substituer,convertir,convertissez,passer en,\
         à la place,changez pour",
    ),
    (
        Verb(Do::Touch),
        "changer,changez,modifier,modifie,toucher,touche,touchez,retoucher,modifiez,retouchez,altérer,altérez,bouger,bougez,\
         déplacer,déplacez,retouche,retouches,changement,changements,modification,modifications,éditer,touches",
    ),
    (
        Verb(Do::Keep),
        "garder,garde,gardez,conserver,conserve,conservez,préserver,préservez,maintenir,telle quelle,tel quel,tels quels,\
         telles quelles,tel qu il est,telle qu elle est,comme il est,comme elle est,comme ils sont,comme elles sont,inchangé,\
         inchangée,inchangés,intact,intacte,rester,restent,respecter,respectez,maintenez,maintien,d origine",
    ),
    (
        Verb(Do::Stretch),
        "plus grand,plus grande,agrandir,plus spacieux,plus spacieuse,plus large,élargir,plus vaste,agrandissez,élargissez,\
         plus haut,plus haute,spacieux,spacieuse,agrandi,plus d espace,plus de place,moins étroit,moins petit,plus volumineux,\
         étirer",
    ),
    (
        Thing,
        "voiture,voitures,véhicule,personne,personnes,gens,poubelle,poubelles,câble,câbles,fils électriques,ligne électrique,\
         lignes électriques,poteau,meuble,meubles,canapé,chien,chat,panneau,arbre,arbres,reflet,reflets,piscine,fleurs,objets,\
         vélo,désordre,filigrane,table,chaise,chaises,lit,tapis,lampe,plante,plantes,vaisselle,jouets,linge,pylône,antenne,\
         voisins,vélos,moto,camion,camionnette,scooter,remorque,caravane,bateau,tuyau,tuyau d arrosage,échelle,seau,balai,\
         aspirateur,étendoir,étendage,linge qui sèche,vêtements,chaussures,serviette,serviettes,brosse à dents,papier toilette,\
         abattant,shampoing,savon,bouteille,bouteilles,assiettes,verres,tasse,tasses,bouilloire,grille pain,cafetière,\
         micro ondes,aimants,magnets,frigo,réfrigérateur,télé,télévision,téléviseur,ordinateur,écran,imprimante,fil,fils,\
         câble électrique,rallonge,multiprise,prise,prises,interrupteur,radiateur,radiateurs,climatiseur,climatisation,\
         détecteur de fumée,lustre,lampadaire,lampadaires,abat jour,tableau,tableaux,cadre,cadres,photos de famille,\
         photos au mur,photos personnelles,affaires,affaires personnelles,effets personnels,objet,bazar,fouillis,bordel,\
         encombrants,carton,cartons,valise,valises,sac,sacs,sacs poubelle,sac poubelle,poussette,jouet,peluche,peluches,poupée,\
         ballon,fauteuil,fauteuils,table basse,table à manger,étagère,étagères,armoire,commode,table de chevet,coussin,\
         coussins,plaid,rideau,rideaux,tapis de bain,paillasson,fleur,pot de fleurs,pots de fleurs,vase,bougie,bougies,\
         corbeille de fruits,fruits,livre,livres,journal,magazine sur la table,antennes,parabole,paraboles,éolienne,éoliennes,\
         panneaux,panneau à vendre,affiche,affiches,pancarte,publicité,autocollant,texte,logo,date,date sur la photo,\
         horodatage,tatouage,photographe,trépied,doigt,pouce,ombre du photographe,mon reflet,mon ombre,oiseau,oiseaux,pigeon,\
         cheval,vache,chiens,chats,enfant,enfants,bébé,femme,homme,monsieur,dame,voisin,passants,passant,piéton,piétons,\
         cycliste,ouvriers,locataire,poteau électrique,poteaux,poteaux électriques,ligne à haute tension,\
         lignes à haute tension,fils,échafaudage,échafaudages,grue,grues,chantier,tente,parasol,salon de jardin,transat,\
         transats,chaise longue,barbecue,balançoire,toboggan,trampoline,bac à sable,piscine gonflable,jacuzzi,haie,haies,\
         buisson,buissons,feuilles mortes,feuilles,mauvaises herbes,neige,flaque,flaques,plaque d égout,clôture,grillage,\
         montagnes,montagne,palmier,palmiers,immeuble derrière,immeuble d en face,maison voisine,maison des voisins,feu,\
         flammes,vin,déco,décoration,poussière,lit bébé,cintre,cintres",
    ),
    (
        Surface,
        "mur,murs,plafond,sol,façade,toit,porte,portes,placards,plan de travail,carrelage,parquet,moquette,papier peint,\
         peinture,escalier,balcon,terrasse,garage,volets,volet,crépi,briques,tuiles,allée,évier,baignoire,boiseries,poutres,\
         agencement,disposition,architecture",
    ),
    (
        Damage,
        "fissure,fissures,trou,moisissure,dégâts,rayure,infiltration,infiltrations,humidité,trace d humidité,traces d humidité,\
         auréole,auréoles,rouille,rayures,cassé,cassée,abîmé,abîmée,dégradé,dégradation,défaut,défauts,peinture écaillée,\
         écaillé,écaillée,lézarde,lézardes,éclat dans le mur,usure,brûlure,trous,moisi,moisissures,salpêtre",
    ),
    (
        Refused(R::Remove),
        "désencombrer,ranger,vider la pièce,rangez,range,désencombrez,débarras,faire le ménage,faites le ménage,nettoyer,\
         nettoyez,vider,videz,mettre de l ordre,dépersonnaliser,vide,désordonné",
    ),
    (
        Refused(R::Add),
        "meubler,home staging,décorer,meublez,meublé,meublée,home staging virtuel,staging virtuel,aménager,aménagez,décorez,\
         feu dans la cheminée,feu de cheminée",
    ),
    (
        Refused(R::Alter),
        "repeindre,peindre,rénover,couleur des murs,repeignez,peindre les murs,peignez,peint en,peints en,rénovez,rénovation,\
         nouvelle cuisine,nouveau sol,nouveau carrelage,changer le sol,changez le sol,changer le carrelage,\
         changer la couleur du mur,changer la couleur des murs,changez la couleur des murs,moderniser,modernisez,refaire,\
         tondre,tondez,faire le lit,faites le lit,ouvrir les rideaux,ouvrez les rideaux,ouvrir les volets,ouvrez les volets,\
         fermer la porte,murs blancs à la place,parquet à la place,remplacer le sol,nouveau parquet,nouvelle façade,ravalement",
    ),
    (
        Refused(R::Lights),
        "allumer,allume les lumières,lumières allumées,allumer les lumières,allume,allumez,allumé,allumée,allumées,allumés,\
         allumez les lampes,lampes allumées,lumières éteintes,éteindre,éteignez,éteins,allumez la lumière,allumer les lampes,\
         lampe allumée,télé allumée,fenêtres éclairées,fenêtres illuminées",
    ),
    (
        Refused(R::TimeOfDay),
        "nuit,de nuit,étoiles,nocturne,scène de nuit,lever de soleil,lever du soleil,aube,matin,pluie,orage,orageux,\
         ciel dramatique,lune,clair de lune,minuit,feux d artifice,ciel étoilé,tempête",
    ),
    (
        Refused(R::Style),
        "noir et blanc,aquarelle,sépia,dessin,monochrome,peinture à l huile,dessin animé,croquis,vintage,rétro,filtre,filtres,\
         pellicule,argentique,cinéma,cinématographique,bande dessinée,pastel,manga,tableau impressionniste,vignettage,\
         vieille photo,style peinture,comme un tableau,effet peinture,artistique",
    ),
    (
        Refused(R::Frame),
        "recadrer,recadre,pivoter,retourner,recadrez,recadrage,rogner,rognez,couper,coupez,carré,format carré,format,\
         format portrait,format paysage,retournez,miroir,effet miroir,inverser,inversez,tourner,tournez,rotation,pivotez,zoom,\
         zoomer,zoomez,dézoomer,cadre blanc,bordure,bordures,redimensionner,redimensionnez,compresser,ratio,pixels,\
         élargir le cadre,de 90 degrés",
    ),
    (
        Refused(R::Blur),
        "flouter,floute,flou d arrière plan,floutez,floutage,flouter les visages,flouter la plaque,plaque d immatriculation,\
         plaques d immatriculation,arrière plan flou,fond flou,bokeh,profondeur de champ,pixeliser,anonymiser,\
         masquer la plaque,cacher la plaque,masquer les visages,cacher les visages,visages",
    ),
    (
        Refused(R::Resolution),
        "résolution,meilleure résolution,haute résolution,haute définition,agrandir l image,agrandir la photo,agrandissement,\
         plus de pixels,augmenter la taille,mégapixels,suréchantillonner",
    ),
    (
        Degree(0.5),
        "un peu,légèrement,peu,légère,subtil,doucement,discrètement,un brin,un chouïa,un tantinet,un soupçon,une pointe,\
         une touche,un petit peu,petit peu,tout petit peu,à peine,modérément,subtilement,un poil,très légèrement,gentiment",
    ),
    (
        Degree(1.75),
        "beaucoup,très,fortement,bien,nettement,vraiment,énormément,carrément,franchement,tellement,extrêmement,super,hyper,\
         ultra,vachement,tout,tout à fait,complètement,totalement,à fond,au maximum",
    ),
    (More, "plus,davantage"),
    (Less, "moins,pas aussi,pas si"),
    (Too, "trop,beaucoup trop,un peu trop,bien trop,vraiment trop,excessivement,trop de"),
    (Enough, "assez,suffisamment"),
    (
        No,
        "ni,au lieu de,plutôt que,éviter,évitez,pas,sans,aucun,aucune,jamais,ne pas,pas de,rien,surtout pas,en aucun cas,\
         nullement,pas besoin,pas besoin de,inutile,inutile de,pas question,hors de question,sans aucun,aucune retouche,\
         interdit",
    ),
    (
        Excess,
        "exagérer,exagéré,artificiel,sans exagérer,pas trop,en faire trop,sans en faire trop,n en faites pas trop,pas exagérer,\
         n exagérez pas,exagérez,exagération,exagérée,trop retouché,trop retouchée,artificielle,faux,fausse,photoshopé,\
         photoshoppé,surtraité,mollo,allez y mollo,avec modération,modération,tout en douceur,en douceur,restez sobre,sobre,\
         sobrement,discret,discrète,subtile,avec parcimonie,sans excès,excessif,excessive,pas abuser,n abusez pas,abuser,\
         forcer,sans forcer,ne forcez pas",
    ),
    (Only, "seulement,uniquement,rien que,juste,simplement"),
    (Anything, "tout le reste,le reste,reste,autre chose,autre,autres,quoi que ce soit"),
    (Where, "dans,sur,par,derrière,devant,sous,près de,autour,à côté de,au fond,dedans"),
    (
        Filler,
        "le,la,les,l,un,une,des,du,de,d,rends,rendre,rendez,image,photo,s,il,vous,te,plait,svp,pièce,salon,cuisine,chambre,\
         maison,faire,fais,faites,que,soit,est,c,ce,cette,avec,pour,en,au,aux,nouveau,ne,n,qui,très peu,ambiance,style,on,gris,\
         à,plus verte,bonjour,merci,merci beaucoup,merci d avance,cordialement,salut,bonsoir,s il vous plaît,s il te plaît,stp,\
         voilà,voici,tout le monde,tout simplement,enfin,donc,alors,car,parce,puisque,a,ai,as,ont,sont,suis,était,étaient,\
         été fait,veux,voudrais,voudrait,voulons,aimerais,aimerions,souhaite,souhaiterais,souhaitons,peut,peux,pouvez,\
         pouvez vous,pourriez,pourriez vous,pouvons,possible,serait,il faut,faut,faudrait,doit,doivent,devrait,besoin,besoin d,\
         avoir,être,sembler,semble,paraît,a l air,air,look,aspect,côté,impression,sensation,sentiment,donne,donner,donnez,\
         donne l impression,apporter,apportez,je,j,tu,nous,mon,ma,mes,notre,nos,votre,vos,leur,sa,son,ses,ces,cet,ça,cela,ceci,\
         celle,celui,là,ici,même,aussi,encore,toujours,un peu partout,partout,toute,toutes,tous,entier,entière,ensemble,global,\
         globalement,général,photos,images,cliché,prise,prise de vue,prise avec,téléphone,smartphone,iphone,portable,\
         avec mon téléphone,annonce,pour l annonce,pour instagram,pour airbnb,client,clients,acheteur,acheteurs,visiteurs,\
         agence,agent,bien immobilier,immobilier,appartement,studio,villa,bureau,couloir,entrée,séjour,salle,salle de bain,\
         salle de bains,salle à manger,garage photo,grenier,sous sol,toilettes,bâtiment,immeuble,propriété,la pièce,\
         ambiance générale,rendu,résultat,version,effet,dernière,dernière fois,précédente,en vrai,en réalité,dans la réalité,\
         vraie,vrai,malheureusement,désolé,moche,laid,laide,dommage,horrible,affreux,affreuse,me,moi,se,lui,eux,dont,où,quand,\
         comme,si possible,avec un,avec une,gauche,droite du,fond,milieu,coin,partie,zone,tire,tirent,comme si,\
         comme si c était,si c était,néons,néon,tubes,madame,monsieur,chalet,à corriger rien",
    ),
    (
        Change(&[(P::Contrast, 1.0)]),
        "plus contrasté,plus contrastée,contraster,débrumer,plus de relief,plus de profondeur,enlever le voile,contrastez",
    ),
    (
        Change(&[(P::Contrast, -1.0)]),
        "moins contrasté,moins contrastée,moins de contraste,contraste plus doux,moins dur",
    ),
    (
        Change(&[(P::Color, 1.0)]),
        "plus coloré,plus colorée,saturer,plus de couleur,plus de couleurs,plus vif,plus vive,raviver,ravivez,\
         couleurs plus fortes,plus éclatant,plus éclatante,intensifier les couleurs,plus de vie,plus de peps,plus saturé,\
         plus saturée,rehausser les couleurs,redonner de la couleur,redonnez de la couleur,redonner vie,couleurs vives",
    ),
    (Change(&[(P::Sharpness, -1.0)]), "moins net,moins nette,moins de netteté,plus doux,plus douce"),
    (
        Change(&[(P::Shadows, -1.0)]),
        "ombres plus profondes,ombres plus sombres,assombrir les ombres,noirs plus profonds,noirs plus denses,\
         renforcer les ombres,approfondir les noirs,densifier les noirs,ombres plus marquées",
    ),
    (Change(&[(P::Highlights, 1.0)]), "récupérer les hautes lumières,baisser les hautes lumières,baisser les blancs"),
    (
        Change(&[(P::Highlights, -1.0)]),
        "augmenter les hautes lumières,remonter les hautes lumières,hautes lumières plus claires",
    ),
    (
        Change(&[(P::WhiteBalance, 1.0)]),
        "neutraliser,neutralisez,corriger les couleurs,couleurs neutres,tons neutres,correction des couleurs,\
         rééquilibrer les couleurs",
    ),
    (
        Change(&[(P::Shadows, 1.0), (P::Highlights, 1.0)]),
        "équilibrer la lumière,équilibrer l exposition,équilibrer l éclairage,équilibrez la lumière,équilibrez l éclairage,\
         uniformiser la lumière,uniformisez la lumière,lumière plus uniforme,éclairage plus uniforme,homogénéiser la lumière,\
         lumière homogène,harmoniser la lumière",
    ),
    (
        Quality(&[(P::Exposure, 1.0), (P::Shadows, 1.0)]),
        "aéré,aérée,léger et lumineux,clair et aéré,lumineux et aéré,lumineuse et aérée,claire et aérée",
    ),
    (Fault(&[(P::Contrast, -1.0)]), "trop contrasté,trop contrastée,dur,dure,trop dur,trop dure,agressif,agressive"),
    (
        Fault(&[(P::Color, -1.0)]),
        "criard,criarde,criardes,criards,flashy,trop vif,trop vive,trop vives,trop coloré,trop colorée,saturation excessive,\
         sursaturé,sursaturée,fluo,pétant,pétantes,tape à l œil,kitsch,sur saturé,sur saturée,bariolé",
    ),
    (Fault(&[(P::Sharpness, -1.0)]), "trop net,trop nette,trop accentué,trop accentuée"),
    (
        Dry,
        "sec,sèche,desséché,desséchée,brûlée par le soleil,grillé,grillée,jauni,jaunie,marron,brun,brune,mort,morte,pelé,pelée,\
         clairsemé,clairsemée,verte,vert,vertes,plus marron que vert,plus jaune que vert,plus marron que verte,\
         plus jaune que verte",
    ),
    (Yard, "jardin,cour,terrain,devant de la maison,jardinet"),
    (
        Setting(P::Indoors),
        "photo d intérieur,vue intérieure,prise en intérieur,en intérieur,c est un intérieur,photo intérieure,\
         prise à l intérieur,intérieure,scène d intérieur,d intérieur",
    ),
    (
        Setting(P::Outdoors),
        "photo d extérieur,prise en extérieur,en extérieur,c est un extérieur,photo extérieure,prise à l extérieur,\
         scène d extérieur,d extérieur",
    ),
    (
        Verb(Do::Pop),
        "peps,punch,du peps,du punch,dynamiser,dynamisez,pétiller,ressortir,faire ressortir,claquer,pep s,éclat,plus d éclat,\
         donner du pep,impact",
    ),
    (
        Verb(Do::Balance),
        "équilibrer,équilibrez,uniformiser,uniformisez,harmoniser,harmonisez,homogénéiser,égaliser,égalisez",
    ),
    (Verb(Do::Leave), "laisser,laisse,laissez,ne touchez pas,pas touche"),
    (
        Fine,
        "est bien,sont bien,est parfait,est parfaite,sont parfaits,est bon,est bonne,sont bons,sont bonnes,est très bien,\
         est correct,est correcte,convient,me convient,me plaît,est voulu,c est voulu,est impeccable,c est bon,est ok,sont ok,\
         sont correctes,est très bon,est très bonne",
    ),
    (Stain, "tache,taches,saleté,saletés,salissure,trace,traces"),
    (
        Refused(R::Season),
        "été,hiver,automne,printemps,noël,enneigé,enneigée,sous la neige,saison,estival,hivernal,automnal,printanier,en été,\
         en hiver",
    ),
    (
        Refused(R::Lens),
        "distorsion,distorsions,déformation,déformations,déformé,déformée,œil de poisson,fish eye,fisheye,grand angle,\
         aberration,aberrations chromatiques,aberration chromatique,franges,barillet,correction de l objectif",
    ),
    (Unlike, "que dans la réalité,qu en vrai,qu en réalité,que la réalité"),
];
