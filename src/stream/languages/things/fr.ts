import type { Things } from './things.ts';

/** Everyday things in French. */
export const THINGS_FR: Things = {
  dentist:
    'dentiste* dentaire* dent dents détartrage* orthodont* carie caries molaire* couronne prothèse gencive* parodont* hygiéniste*',
  doctor:
    'médecin* docteur* généraliste* médical médicale médicaux consultation* pédiatre* dermatolog* gynécolog* cardiolog* toubib doctolib spécialiste frottis mammographie*',
  eyes: 'opticien* ophtalmo* oculiste* yeux œil lunettes lentilles monture montures verres optométr* orthoptist* progressifs presbyt*',
  vaccination: 'vaccin* grippe tétanos rougeole piqûre immunis* dtp ror covid',
  prescription: 'ordonnance* pharmac* médicament* comprimé* posologie antibiotique* officine* gélule* pilule sirop',
  physio: 'kiné kinés kinésithérap* ostéo ostéopath* massage* rééducation* chiropract* ergothérap* masseur*',
  hospital:
    'hôpital* hôpitaux hospitali* clinique* chirurg* opération anesthés* ambulatoire chu radiolog* irm scanner urgences coloscopie* bloc',
  bloodTest:
    'sang sanguin* laboratoire* prélèvement* analyses cholestérol glycémie labo biologie* hémoglobine thyroïde',
  healthInsurance: 'mutuelle* cpam ameli vitale complémentaire sécu remboursements lamal urssaf',
  electricity: 'électri* edf enedis kwh linky kilowatt* engie disjoncteur* consuel',
  gas: 'gaz grdf gazpar propane butane bonbonne* citerne gaziers gazier',
  water: 'eau eaux assainissement* veolia égout* saur potable*',
  heating:
    'chauffage* chaudière* radiateur* thermostat* chauffagiste* brûleur* fioul mazout pac calorifique chauffe* climatis*',
  chimney: 'cheminée* ramonage* ramoneur* poêle* suie âtre fumisterie* ramoner ramoné',
  plumbing:
    'plombier* robinet* fuite* canalisation* tuyau* évier* siphon débouch* dégorg* sanitaire* chasse lavabo* toilettes douche plomberie*',
  roof: 'toit toits toiture* gouttière* couvreur* ardoise* zingu* charpent* chéneau* combles tuile tuiles',
  window: 'fenêtre* vitrier* vitrage* persienne* velux menuiserie* vitre vitres vitrerie* volet volets',
  lock: 'serrure* clé clés clef clefs serrurier* cylindre* verrou* cadenas trousseau',
  garden:
    'jardin* pelouse* haie* arbre* élagage* élagu* tonte tondeuse* arbuste* potager* paysagist* abattage gazon gazons',
  waste: 'déchet* ordures poubelle* encombrant* recycl* déchèterie* benne* teom compost* débarras*',
  cleaning: 'nettoy* aspirateur lavage propreté repassage ménage ménages',
  painting: 'peintre* peinture* repeindre tapisserie* ravalement* façade* peindre tapissier*',
  kitchen:
    'cuisine* cuisinière* réfrigérateur* frigo* fours congélateur* plaque plaques électroménager* cuisiniste* induction hotte hottes',
  washing: 'linge lessive* laverie* blanchisserie* pressing essorage',
  dishwasher: 'lavevaisselle vaisselle plonge',
  sofa: 'canapé* fauteuil* divan* sofa* convertible* banquette* pouf méridienne*',
  shelf: 'étagère* armoire* penderie* placard* dressing* bahut* rayonnage* buffet commode commodes meuble',
  bed: 'lit lits matelas sommier* couette* literie* mezzanine traversin oreiller*',
  table: 'table tables chaise* tabouret* menuisier* ébénist* guéridon*',
  lamp: 'ampoule* luminaire* éclairage* plafonnier* lampadaire* lampe lampes lustre lustres',
  internet: 'internet fibre adsl wifi livebox freebox routeur* bbox modem vdsl raccordement*',
  mobile: 'mobile* sim esim forfait* portabilité roaming itinérance sosh sfr bouygues',
  television: 'télé télévis* redevance parabole* décodeur* tnt antenne*',
  alarm: 'alarme* détecteur* daaf cambriol* fumée télésurveill* vidéosurveill* interphone* sirène',
  rent: 'loyer* quittance* irl bail locatif* locative*',
  serviceCharges: 'charges régularisation* récupérables locatives',
  deposit: 'caution* visale dépôt',
  landlord: 'bailleur* bail baux locataire* propriétaire* colocat* locatif* locative* préavis logeur* hlm',
  mortgage: 'hypothèque* hypothécaire* immobilier* emprunt* rachat courtier* échéancier*',
  propertyTax: 'foncière* foncier* cadastr* précompte immobilière',
  ownersMeeting: 'copropri* syndic* tantièmes ppe millièmes',
  handover: 'lieux inventaire* sortant entrant',
  moving: 'déménag* emménag* cartons camion réexpédition*',
  meter: 'compteur* relevé* relève index linky gazpar télérelève* releveur*',
  car: 'voiture* véhicule* auto autos automobile* bagnole* automobiliste*',
  carService:
    'garage* garagiste* révision* vidange* mécanicien* plaquettes carrosserie* carrossier* concession* embrayage courroie* atelier norauto midas frein freins freinage',
  carInspection: 'contrevisite* autosur dekra securitest utac',
  tyres: 'pneus pneumatique* jante* roue roues crevaison* gonflage permutation* équilibrage pneu',
  carInsurance: 'maaf macif sinistralité conducteur',
  carTax: 'vignette immatriculation* ants vignettes',
  drivingLicence: 'permis conduire conduite autoécole* ants',
  fine: 'amende* contravention* infraction* antai fps verbalis* radar radars',
  bicycle: 'bicyclette* vtt vae vtc cycliste* trottinette* bécane vélo vélos vélocip* pédales',
  breakdown: 'dépann* remorqu* tcs fourrière* panne pannes',
  parking: 'stationnement* parking* garer horodateur* parcmètre* macaron*',
  train: 'sncf tgv ouigou ouigo eurostar thalys intercités cff ferrovi* wagon* train trains',
  flight: 'vol vols avion* aéroport* embarquement* aérien* escale* easyjet ryanair bagage* décollage* airbus',
  bus: 'bus autobus autocar* tramway* navigo ratp flixbus tcl tisséo métro métros tram trams',
  ferry: 'ferry* traversée* bateau* croisière* navire* maritime* corsica embarcadère* paquebot*',
  hotel: 'hôtel* auberge* nuitée* hébergement* chambre* ibis hostellerie* booking',
  holidayFlat: 'gîte* airbnb villégiature* saisonnière* chalet* abritel meublé* bungalow* maisonnette*',
  carHire: 'loueur* europcar hertz sixt avis rentacar autopartage* louée',
  travelInsurance: 'rapatriement* bagages chapka voyage voyageur voyageurs bagage',
  visa: 'visa visas esta consulat* ambassade* préfecture* immigration ofii',
  passport: 'passeport* identité* cni ants biométri*',
  tax: 'impôt* fiscal fiscale fiscaux fisc dgfip contribuable* imposition* taxe taxes percepteur*',
  taxReturn: 'revenus imposable* comptable* fiduciaire* déclaration déclarations déclarant impôts',
  vat: 'tva ca3 intracommunautaire* ca12 assujetti* ajoutée',
  salary: 'salaire* paie paye bulletin* rémunération* salarial* paies',
  pension: 'retraite* agirc arrco cnav carsat pension* vieillesse avs lpp prévoyance* perco',
  bankCard: 'dab pin maestro bancontact distributeur*',
  bankAccount: 'bancaire* rib iban découvert* agio agios livret* ldds banque banques',
  loan: 'prêts emprunt* mensualité* cetelem cofidis amortissement* prêt crédit crédits',
  creditCard: 'mastercard amex',
  insurance: 'assurance* assureur* assuré* cotisation* axa maif macif maaf souscripteur* groupama matmut',
  liability: 'responsabilité* civile préjudice* dommages tiers',
  household: 'habitation* multirisque* mrh dégâts mobilier cambriolage*',
  legalInsurance: 'juridique* litige* contentieux* juridiction litigieux',
  lifeInsurance: 'assurvie invalidité* bénéficiaire* décès rente prévoyance obsèques',
  claim: 'sinistre* dégât* dommage* constat* indemnis* accident* préjudice* expertise* expert experts',
  court:
    'tribunal* tribunaux audience* jugement* procès convocation* assignation* plainte* citation judiciaire* juge juges greffe greffes',
  lawyer: 'avocat* barreau juriste* plaidoirie*',
  notary: 'notaire* notarié* notariale* notarial compromis procuration*',
  inheritance: 'succession* héritage* testament* héritier* légataire* défunt* legs donation* héritière*',
  residence: 'domicile* domiciliation* résidence* domicilié* recensement',
  certificate: 'naissance* extrait* casier certificat* apostille* attestation*',
  vote: 'voter élection* électeur* électoral* scrutin* procuration* référendum* urnes votation* présidentielle* municipales législatives vote votes',
  benefit: 'chômage* caf rsa apl allocation* allocataire* assedic indemnités aah cpas',
  childBenefit: 'familiales paje caf maternité paternité parental*',
  school:
    'école* scolaire* collège* lycée* professeur* rentrée* maîtresse* devoirs scolarité* fournitures pronote élève élèves classe classes instituteur* institutrice*',
  nursery: 'crèche* maternelle* garderie* puéricult* psu',
  trip: 'excursion* randonnée* bivouac* sortie sorties',
  permission: 'autorisation* parentale* consentement*',
  parentsEvening: 'parents ape parent enseignants professeurs',
  canteen: 'cantine* repas réfectoire* périscolaire* déjeuner* goûter restauration',
  music:
    'musique* violon* guitare* conservatoire* solfège* flûte* clarinette* trompette* instrument* accordeur* piano pianos',
  swimming: 'natation* piscine* nage nageur* nager aquatique* crawl brasse bassin bassins',
  exam: 'examen* brevet épreuve* baccalauréat* rattrapage* partiel* dnb toefl interro*',
  university:
    'université* universitaire* fac faculté* mémoire thèse* semestre* étudiant* crous parcoursup cvec doctorat* soutenance*',
  childminder: 'nounou* pajemploi babysitter* nourrice* assmat',
  birthday: 'anniversaire* anniv bougies annif fête goûter bougie',
  wedding: 'mariage* mariée* mariés marié noces fiançaill* alliances pacs épouse époux noce témoins',
  funeral:
    'obsèques* enterrement* funér* funèbre* cimetière* crémat* tombe tombes cercueil* condoléances deuil inhumation* inhumer',
  vet: 'vétérinaire* véto castration* stérilis* vermifug* rage toutou',
  kennel: 'canine toilettage* félin* catsitter* chenil chenils pension',
  dogTax: 'chiens chienne* médaille chien chiot chiots canin canine',
  football:
    'foot football* entraîneur* stade* rugby* handball* tournoi* judo* équipe équipes match matchs basket maillots',
  gym: 'musculation* fitness* muscu crossfit* gym gymnastique',
  yoga: 'yoga* pilates méditation* relaxation* sophrolog* hatha vinyasa',
  choir: 'chorale* chœur* choriste* chanter chanteur* soprano* ténor* répétition* cantate* chant chants',
  library: 'bibliothèque* médiathèque* emprunté* bibliothécaire* bnf emprunts',
  theatre: 'théâtre* théâtral* ballet* spectacle* représentation* comédie* billetterie* opéra opéras',
  concert: 'concert* festival* orchestre* symphon* philharmon* récital* ticketmaster tournées',
  museum: 'musée* exposition* expo expos galerie* vernissage* louvre',
  restaurant: 'restaurant* brasserie* bistro* dîner* pizzeria* thefork lafourchette gastronom* traiteur',
  newspaper: 'journal journaux magazine* quotidien* hebdo* kiosque* parution* presse revue revues',
  streaming: 'streaming* netflix spotify deezer disney dazn salto audible molotov',
  software: 'logiciel* antivirus appli microsoft adobe progiciel* saas',
  domain: 'hébergeur* ovh gandi dns ssl ovhcloud ionos domaine domaines',
  conference: 'conférence* colloque* congrès symposium* séminaire* exposant* keynote*',
  course: 'formation* stage stages atelier* cours mooc cpf formateur* stagiaire* apprentissage*',
  contract: 'contrat* avenant* signature* signer convention docusign signataire* contresign* cdi cdd clause*',
  quote: 'devis chiffrage* estimation* soumission* estimatif chiffrer métré',
  translation: 'traduct* traduire traduit* interprèt* interprétariat* relecture* assermenté* bilingue*',
  meeting: 'réunion* séance* entrevue* briefing* visio visios visioconf*',
  presentation: 'présentation* diapo* powerpoint exposé* slides pitch keynote',
  expenses: 'justificatifs défraiement* kilométrique* débours notefrais remboursable*',
  timesheet: 'pointage* timesheet* pointeuse* badgeage cra',
  laptop: 'ordinateur* portable* macbook* thinkpad informatique* ordi ordis écran écrans',
  eventHall: 'salle salles polyvalente* fêtes auditorium* chapiteau* amphithéâtre*',
  printing:
    'imprimeur* imprimerie* impression* flyer* prospectus dépliant* affiche* brochure* bat tract tracts tirages',
  parcel:
    'colis colissimo livraison* chronopost coursier* livreur* expédition* dhl dpd transporteur* ups acheminement* paquet paquets',
  clothes:
    'chaussure* vêtement* pantalon* manteau* veste* bottes retouche* couturi* cordonnier* chemise* zalando baskets costume* habits robe robes pulls',
  phone: 'téléphone* smartphone* iphone* tablette* ipad* android galaxy',
  book: 'livre livres librair* ouvrage* bouquin* isbn auteur* roman romans',
  coffee: 'café* cafetière* expresso* nespresso delonghi espresso* détartrant* dosette* percolateur*',
  gift: 'cadeau* étrenne* coffret* wonderbox smartbox',
  flowers: 'fleurs fleuriste* bouquet* roses tulipes interflora orchidée* muguet fleur fleuri',
  food: 'épicerie* supermarché* alimentation* alimentaire* primeur boucher* boulanger* traiteur* amap deliveroo carrefour leclerc pizza légumes',
  christmasTree: 'sapin* noël nordmann épicéa* guirlande* conifère*',
  hearing:
    'audition auditif* auditive* audioprothés* audiolog* audiogramme* oreille* orl sourd* surdité acouphène* cérumen otite* malentendant* cochléaire* appareillage* tympan* audika amplifon audio2000',
  allergy:
    'allergie allergies allerg* asthm* pollen* rhinite* désensibilis* antihistamin* foins acarien* eczéma intoléran* urticaire anaphyla* inhalateur* ventoline pneumolog* spirométr*',
  heart:
    'cœur coeur cardio cardiaque* cardiolog* électrocardiogr* ecg tension hypertension tensiomètre* holter artère* artériel* coronar* pacemaker* échocardiogra* palpitation* infarctus arythmie* statine*',
  skin: 'peau dermato dermatos dermatolog* dermatoscop* mélanome* naevus nævus verrue* acné eczéma psoriasis cutané* biopsie* lésion* cryothérap* épiderm* mycose*',
  xray: 'radio radios radiolog* radiologie radiograph* imagerie irm scanner scanners échograph* mammograph* ostéodensito* scintigraph* tomodensito* doppler échodoppler arthroscanner imed',
  operation:
    'opération opératoire* opérer opéré opérée chirurg* chirurgie anesthés* ambulatoire* préopératoire* postopératoire* cicatri* suture* arthroscop* hernie* jeun bistouri ligament* appendic*',
  cataract:
    'cataracte* cristallin* ophtalm* ophtalmo intraoculaire* laser lasik rétine* rétinien* cornée* glaucome* macula* dmla collyre* myopie myope* réfractive*',
  pregnancy:
    'grossesse* enceinte* sage sages sagefemme* maïeuti* accouch* maternité* prénata* postnata* périnata* obstétri* allait* péridurale* échographie* haptonomi* nourrisson* doula* fœtus foetus',
  therapy:
    'psy psys thérapie* thérapeut* psychothérap* psycholog* psychiatr* psychanaly* psychomotri* ergothérap* orthophon* logopéd* logopède* tcc emdr bégaie* dyslexi* dépression* burnout hypnothérap*',
  insoles:
    'semelle* orthopéd* orthopédie orthèse* orthésiste* prothèse* prothésiste* podolog* podo pédicure* attelle* corset* genouillère* minerve* plantaire* orthoprothés* chevillère*',
  careHome:
    'ehpad* retraite seniors gériatr* médicalisé* pensionnaire* korian orpea emeis domusvi usld alzheimer dépendantes repos ems béguinage*',
  carer:
    'auxiliaire* soignant* aidant* aidants apa gir autonomie dépendance ssiad saad admr ménagère* mdph pch téléassistance* infirmi* infirmière cesu tierce',
  sickNote:
    'arrêt arrêts maladie malade* maladies journalières ijss incapacité* inaptitude* inapte itt convalescen* prolongation* cerfa alité* absentéis* souffrant*',
  cure: 'cure cures curiste* thermal* thermes thermaux thermalisme spa spas thalasso* balnéo* sanatorium* réadaptation* rééducation* convalescence* ssr smr valvital',
  hair: 'coiffeur* coiffeuse* coiffure coiff* coif cheveu* barbier* barbe barber brushing* balayage* coloration* mèches frange* tresse* capillaire* perruque* dessange provost',
  nutrition:
    'nutrition* nutritionniste* diététi* diététique diète* régime régimes poids maigr* obésité obèse* surpoids imc calorie* calorique* minceur* amincissement* rééquilibrage* weightwatchers',
  firstAid:
    'secours secouris* secourisme secouriste* psc1 sst sauvet* sauveteur* réanimation* défibrillateur* samaritain* croixrouge ambulanc* afgsu brancard* protectioncivile',
  wheelchair:
    'roulant roulants roulante* déambulateur* rollator* monteescalier* escalier* stannah béquille* canne cannes handicap* handi pmr potence médicalisé* pharmaciematériel mobilité',
  boilerService:
    'chaudière* chauffage* chauffagiste* brûleur* chauffe chaleur pac cumulus thermodynamique* thermicien* aérotherm* géotherm* calorifique* fioul viessmann vaillant frisquet dedietrich detartrage ramonage*',
  solar:
    'solaire* photovolt* panneau panneaux onduleur* microonduleur* wallbox* autoconsomm* kwc enphase surplus solar consuel batterie batteries sunpower énergieverte',
  insulation:
    'isolation* isolant* isoler isol façade façades façadier* ravalement* échafaud* enduit enduits crépi crépis plâtre* plâtrerie plâtrier* placo* bardage* combles laine thermique* maprimerénov rge',
  floor:
    'parquet* carrelage carrel* carreaux moquette* plancher* stratifi* linoléum lino vinyle* ponçage* poncer plinthe* chape chapes ragréage* sol sols revêtement* vitrific* faïence*',
  bathroom:
    'bain bains sdb douche* baignoire* lavabo* vasque* toilette* sanitaire sanitaires bidet* mitigeur* receveur* robinet* paroi faïence* pommeau* salledebain',
  door: 'porte portail portails portillon* portier* interphone* visiophone* sonnette* sectionnelle* motorisation* hörmann somfy huisserie* digicode* blindée blindées heurtoir* gonds vestibule* automatisme*',
  fence:
    'clôture clôtures clôturiste* grillage* palissade* claustra* barrière* portail* portillon* piquet* muret* poteau* mitoyen* gabion* canisse* brisevue haie haies',
  shed: 'cabane* cabanon* abri abris serre serres carport* pergola* appentis hangar* tonnelle* gloriette* véranda* parcelle* ouvriers potager* chalet* kiosque*',
  pests:
    'nuisible* guêpe* frelon* souris rats dératis* désinsect* punaise* cafard* blatte* termite* xylophag* rongeur* moustique* fourmi* vrillette* mites chenille* taupe* antinuisibles',
  mould:
    'moisi* moisissure* humid* humidité infiltr* dégât* inond* champignon* mérule* salpêtre* assèch* déshumidif* suint* condensation* étanchéité* ruissellement*',
  lift: 'ascenseur* ascensoriste* escalator* élévateur* montecharge* cabine kone otis schindler thyssenkrupp orona mécanique escalier escaliers treuil* paliers',
  buildingPermit:
    'construire urbanisme* architecte* architectur* archi plu plui préalable* lotissement* constructib* cadastr* daact abf bâtir surélévation* extension* maçonn* bâtiment* dossierpermis',
  survey:
    'géomètre* bornage* arpent* expertise* expert experts dpe diagnostic* diagnostiqueur* cadastr* mesurage* carrez topograph* énergétique* amiante plomb vétusté* foncier*',
  housePurchase:
    'immobilier* immobilière* immo acquéreur* acquérir compromis orpi century21 laforet foncia guyhoquet iad safti viager* vefa promesse mandat maison maisons pavillon* villa villas',
  houseViewing:
    'visiter visites appartement* appart apparts logement* studio studios duplex seloger pap bienici jinka locatif* locative* annonce annonces immo immobilier* pièces',
  subtenant:
    'coloc colocs colocat* colocation locataire* cohabit* logeur* logeuse* souslocation* souslou* hébergé* appartager lacartedescolocs meublé* meublée* habitant chambre chambres',
  storage:
    'stockage* gardemeuble* meubles entrepos* entrepôt* consigne* cave caves cellier* débarras* boxes shurgard homebox costockage lokaviz selfstockage annexx casiers casier',
  firewood:
    'bois bûche* bûches stère stères granulé* pellet pellets fioul mazout fuel bûcheron* fagot* cuve cuves citerne* combustible* poêle poêles bûchettes',
  tools:
    'outils outillage* perceuse* visseuse* échelle échelles escabeau* tournevis marteau* scie scies ponceuse* kiloutou loxam bricol* bricolage castorama leroymerlin tronçonneuse* bétonnière* karcher',
  curtains:
    'rideau* stores storiste* voilage* coussin* tapissier* tapisserie* couture* couturi* tringle* tissu tissus housse* tenture* ourlet* rembourr* coudre jalousies heytens mercerie*',
  plants:
    'plante plantes plants plantation* planter semis semence* graine* graines jardinerie* pépini* terreau* rempot* bulbe* truffaut jardiland repiqu* vivaces potager* bouture* carré',
  airConditioning:
    'clim climatis* climatisation climaticien* vmc ventil* ventilation hotte hottes aération* extracteur* daikin frigorifique* frigoriste* réversible* rafraîch* filtre filtres purificateur* atlantic',
  fireSafety:
    'extincteur* incendie* incendies fumée fumées daaf détecteur* ssiap désenfum* évacuation* pompier* sapeur* sprinkler* erp coupefeu feu sicli desautel chubb',
  windscreen:
    'brise parebrise* vitrage* vitre vitres bris glace glaces carglass glass autoglass éclat éclats fissur* résine* essuie lunette rapidparebrise mondialparebrise',
  carPurchase:
    'concession* concessionnaire* immatricul* plaque plaques grise grises cession argus aramisauto lacentrale autohero ants siv quitus malus essai automobile* auto autos acheteur* garagiste*',
  carLease:
    'leasing* loa lld restitution* restituer arval ayvens alphabet leaseplan athlon aldautomotive kilométrage* résiduelle* loueur* lease lease* locataires',
  motorbike:
    'moto motos motocycl* motard* scooter* scooters cyclomoteur* mobylette* vespa casque* yamaha kawasaki ducati harley deuxroues quad quads motoculture guidon*',
  camper:
    'camping campings camping* caravane* caravaning fourgon* campingcar* vans combi yescapa wikicampers emplacement* campeur* bivouac* mobilhome* bungalow* tente tentes huttopia aménagé',
  boat: 'bateau* voile voiles voilier* nautique* nautisme marina mouillage* amarr* capitainerie* plaisance plaisancier* skipper* régate* barque* carénage* hivernage* péniche* yacht* catamaran* hauturier* côtier',
  toll: 'péage* péages télépéage* vignette* crit critair zfe autoroute* autorouti* ulys bipgo fulli aprr sanef vinci vinciautoroutes émissions badgetelepeage',
  oilChange:
    'vidange* huile huiles batterie batteries frein freins plaquettes échappement* embrayage* courroie* amortisseur* disques norauto midas speedy feuvert révision garage* garagiste* catalyseur* bougies',
  charging:
    'recharge* recharger borne bornes irve wallbox* chargemap izivia ionity tesla superchargeur* fastned allego électromobil* kwh électrique électriques freshmile zeborne',
  seat: 'siège sièges hublot* couloir* surclass* bagage* bagages valise* soute cabine excédent* rangée* placement* fenêtre embarquement* assise enregistrer',
  luggage:
    'bagage* bagages valise* sacs malle malles bagagerie* soute égaré* perdus trouvés trouvé consigne* samsonite delsey rimowa airtag étiquetage carrousel',
  refundTravel:
    'indemnis* dédommag* retard retardé* retards compensation* g30 ec261 airhelp flightright surréservation* surbooking réclam* rembours* remboursement* correspondances perturb* annulé annulée suppression',
  stay: 'séjour* nuit nuits nuitée* chambre* hébergement* hôtel hôtels hôte hôtes logis couchage* auberge* demipension déjeuner déjeuners booking checkin airbnb',
  tour: 'guidée guidées guidé guides excursion* balade* randonn* circuit circuits touristi* tourisme getyourguide viator civitatis skipass skiset audioguide* forfaits remontées visite',
  taxi: 'taxi taxis vtc uber navette* chauffeur* transfert transferts shuttle bolt heetch freenow blablacar covoitur* voiturier* course minibus',
  invoice:
    'facture factures factur* facturation échéance* honoraires décompte* acompte* proforma quittance* impayé* ttc solder invoice montant payer réglée',
  reminderFee:
    'relance* relancer impayé* impayés recouvr* recouvrement huissier* demeure intrum pénalité* majoration* créance* créancier* contentieux sommation* débiteur* débitrice* injonction* échue échues',
  standingOrder:
    'prélèvement* prélevé* prélever sepa mandat mandats permanent permanents domiciliation* domicilié rum mensualis* échéancier* lsv débit débits bancaire rib',
  transfer:
    'virement* virements virer iban bic swift versement* verser versé bénéficiaire* wise paylib wero lydia revolut rib instantané* westernunion transférer donneur',
  investment:
    'bourse boursi* boursorama fortuneo placement* placements invest* investisse* actionnaire* actions pea opcvm sicav etf fonds titres dividende* portefeuille* scpi épargne degiro',
  savings:
    'épargn* épargne livret livrets ldds lep pel cel intérêts placement* tirelire* économies codevi épargnant* distingo rendement*',
  crypto:
    'crypto* cryptomonnaie* bitcoin* ethereum* btc blockchain* coinbase binance kraken ledger wallet* token tokens jeton jetons stablecoin* nft staking altcoin* bitpanda',
  donation:
    'don dons donat* donateur* donatrice* caritati* solidari* mécén* mécénat parrain* unicef emmaus téléthon helloasso fondation* msf cagnotte* bienfaiteur* collecte collectes',
  refund:
    'rembours* remboursement remboursé rétrofactur* chargeback perçu crédité* recrédit* rétractation* restitu* reversement* dédommag* cashback contest* tropperçu',
  grant:
    'subvention* bourse bourses boursier* boursière* prime primes aides financement* financer maprimerénov anah ademe cee drac feder dotation* éligib* mécénat erasmus',
  studentLoan:
    'étudiant* étudiante étudiants bourse bourses boursier* boursière* crous cnous dse échelon* emprunt* prêt prêts messervices études universitaire*',
  businessRegistration:
    'siret siren sirene kbis rcs insee urssaf autoentrepr* microentrepr* entrepreneur* cfe inpi infogreffe greffe greffes immatricul* statuts sarl sasu eurl cci',
  bookkeeping:
    'comptab* comptabilité comptable compta bilan bilans liasse* fiduciaire* fec pennylane quickbooks expertcomptable* cegid dext amortissement* provision* lettrage trésorerie exercice',
  customs:
    'douane douanes douan* douanier* dédouan* dédouanement importation* import imports importé* transitaire* transit eori cn23 incoterm* tarifaire* accise* taxé',
  powerOfAttorney:
    'procuration* mandat mandats mandataire* tutelle* curatelle* tuteur* tutrice* curateur* curatrice* habilitation* anticipées directives udaf tutélaire* protégé protégée vulnérable*',
  powerStatement:
    'sécu carrière carrières cnav carsat agirc arrco inforetraite trimestre* nir matricule* immatriculation* cotisation* ameli vitale avs niss mypension relevé relevés',
  deathCertificate:
    'décès décéd* défunt* défunte veuv* veuf veufs veuvage réversion* succession* obsèques orphelin* survivant* notoriété posthume* hérit* feue mort mortuaire*',
  citizenship:
    'citoyen* citoyenneté nationalité* naturalis* naturalisation delf dalf tcf tef préfecture* binational* assimilation apatrid* linguistique* langue francophone* décret serment',
  workPermit:
    'séjour préfecture* préfectoral* anef ofii immigr* étrangers récépissé* migrat* migration détachement* frontali* dreets travailleur* passeporttalent résident résidents titre',
  police:
    'police policier* policière* commissariat* gendarm* plainte* voleur* volé volée volés cambriol* témoin* témoign* déposition* verbal dérob* préplainte* agression* enquêteur* infraction*',
  criminalRecord:
    'casier judiciaire* extrait* antécédent* honorabilité moralité mœurs moeurs criminel* habilitation* condamn* vierge bulletin3 fijais probité',
  complaint:
    'réclam* réclamation plainte* plaignant* médiateur* médiation* médiatrice* litige* signalconso dgccrf consommateur* quechoisir mécontent* contest* conciliateur* vices insatisf* ombudsman ufc',
  warranty:
    'garantie garanties sav défectueu* réparation* conformité constructeur* échanger échangé* darty vices réparabilité panne pannes aprèsvente aftersales dysfonctionn* remplacé remplacement',
  lostCard:
    'opposition* oppositions bloqu* perdue volée pin fraud* fraude verrouill* déblo* interbancaire* hameçonn* phishing skimming piratée piratage remplacée',
  schoolPlace:
    'scolaire* scolarisation* école* écoles sectoris* sectorisation affectation* affelnet parcoursup dérogation* préinscription* maternelle* admission* collège* lycée* rentrée rectorat* académie',
  schoolReport:
    'bulletin bulletins trimestr* semestriel* appréciation* pronote éduconnect lsu moyenne moyennes notes diplôme* brevet livret élève élèves conseildeclasse notation',
  schoolBooks:
    'manuels fournitures cahier* classeur* cartable* trousse* stylo* crayon* papeterie* photocopi* librair* livre livres calculatrice* rentrée scolaires feutres gomme bureauvallee',
  tutoring:
    'soutien tutorat tuteur* acadomia superprof kartable completude anacours maths math mathématique* répétiteur* rattrapage* révisions devoirs niveau professeur* remédiation*',
  exchange:
    'erasmus* correspondant* correspondante linguistique* jumelage* jumelé* immersion* ofaj sauzay voltaire hôte mobilité accueillante* étranger germanophone* anglophone* interculturel*',
  camp: 'colonie* colo colos camp camps aéré aérés loisirs alsh clsh ucpa animateur* animatrice* bafa louveteau* vacaf plaines minicamp séjour séjours vacances',
  costume:
    'costume* déguis* carnaval* kermesse* spectacle* perruque* maquill* masque masques nativité* halloween mascarade* saynète* princesse* pirate tenue tenues cortège* crèche',
  prom: 'bal bals gala galas diplôm* diplomation finissant* cérémonie* bachelier* bachelière* terminale* lauréat* graduation toque promotions proclamation* smoking*',
  judo: 'judo* judoka* karaté* kimono* dojo* tatami* aïkido* taekwondo* jiujitsu jujitsu ceinture* martial martiaux boxe boxeu* escrime* krav kungfu kendo sensei',
  dance:
    'danse danses danser danseu* dansant* ballet ballets chorégraph* ballerine* tutu salsa zumba tango hip hop valse chaussons gala classique',
  riding:
    'équitation* équestre* cheval chevaux poney poneys manège* écurie écuries cavalier* cavalière* galop galops hippique* hippodrome* sellerie* selle ferrant jument* étalon* bombe',
  tennis:
    'tennis* badminton* raquette* padel* squash* pingpong pongiste* fft tenup cordage* tournoi* volants balles tennisclub filet pong terrebattue',
  athletics:
    'marathon* semimarathon* triathl* duathl* trail trails traileur* dossard* dossards athlé athlétisme athlète* running runner* coureu* footing jogging foulée* course finisher* njuko ironman',
  climbing:
    'escalade* grimp* alpin* alpinis* randonn* refuge refuges ffcam mousqueton* baudrier* encord* montagn* falaise* varappe* arkose climbup ferrata piolet* crampon*',
  skiing:
    'ski skis skieu* skier snowboard* luge* télésiège* téléski* télécabine* esf piste pistes moniteur* neige alpin remontées skipass fartage* skiset glisse',
  scouts:
    'scout scouts scout* scoutisme sgdf éclaireu* louveteau* jeannette* guides pionnier* jamboree* farfadet* totem* patro meute cheftaine* foulard* eedf jeunesse mjc',
  instrument:
    'instrument* luthier* lutherie accordeur* accordage* piano* pianos violon* guitare* archet* hautbois flûte* trompette* clarinette* saxo* harpe* trombone* accordéon*',
  childSeat:
    'siège sièges poussette* berceau* rehausseur* cosy isofix landau* nacelle* couffin* puéricult* bébé bébés babyzen cybex maxicosi aubert vertbaudet auto',
  toys: 'jouet* jouets jeux puzzle* lego playmobil poupée* peluche* ludothèque* figurine* doudou* joueclub kingjouet toys console* nintendo toupie* billes',
  baptism:
    'baptême* baptis* communion* communiant* paroiss* paroisse église* curé prêtre* catéch* caté parrain marraine* messe messes diocès* pasteur* temple dragée* sacrement* aumôner*',
  anniversary:
    'anniversaire* noces noce jubilé* retrouvaille* commémor* cousinade* cinquantenaire* centenaire* bicentenaire* anciens anciennes diamant célébr* doyen',
  party:
    'fête fêtes fêter invités convive* soirée* apéro* apéritif* célébr* crémaillère* réveillon* cocktail* fairepart boum rsvp cotillon* sono festivité* festif* bougies',
  photographer:
    'photograph* photographe photographie photo photos shooting* portrait* album* cliché* tirage* reportage* photobooth photomaton cewe portraitiste* retouches studio',
  caterer:
    'traiteur traiteurs traiteur* buffet* gâteau* pâtiss* pâtisserie cocktail* boisson* catering* brunch* champagne* dessert* foodtruck* menu menus plateau* convive* amusebouche* fontaine',
  petFood:
    'croquette* pâtée* zooplus maxizoo animalerie* animal animaux litière* gamelle* canin friandise* zoomalia wanimo purina royalcanin nourriture antiparasit* alimentation*',
  petInsurance:
    'animal animaux santevet assuropoil dalma bullebleue kozoo vétérinaire* morsure* mordu mordre canin canine félin* toutou chien chiens',
  catFlap:
    'chat chats chaton* chatière* puce stérilis* castration* castrer félin* féline minou minet matou* litière* griffoir* icad tatouage* ronron*',
  petSitter:
    'petsitt* petsitter dogsitt* catsitt* promeneu* promenade* gardiennage* gardien* chenil chenils pension pensions animaute holidog emprunte toilettage* toiletteu* canin canine félin*',
  membership:
    'adhésion* adhér* adhérent adhérents cotisation* cotiser membre membres licencié* licence licences association* affiliation* helloasso sociétaire* asso assos club clubs',
  generalMeeting:
    'assemblée* quorum* trésorier* trésorière* président présidente convocation* statuts résolution* procuration* comité comités élection* verbal ordinaire extraordinaire administrateur* quitus pouvoirs',
  volunteering:
    'bénévol* bénévole bénévoles bénévolat volontaire* volontari* permanence* pompier pompiers sapeur* équipier* maraude* civique solidari* astreinte* roulement* associati* distribution* banquealimentaire',
  raffle:
    'tombola* loterie* brocant* braderie* grenier* videgrenier* kermesse* loto lotos lots puces bazar buvette* chiner chineu* exposant* estivale guinguette*',
  newsletter:
    'newsletter* infolettre* mailing mailings emailing* mailchimp brevo sendinblue mailjet campagne* publipost* gazette* diffusion édito* éditorial routage* abonnés bulletin',
  website:
    'web siteweb webmaster* webmestre* homepage* wordpress* refonte* maquette* webdesign* landing cms contenus contenu référencement* seo wix squarespace intégrateur* ergonom* internet',
  logo: 'logo logos logotype* charte graphi* graphisme graphiste graphique étiquette* packaging* emballage* maquette* design* visuel visuels illustrat* pantone* typograph* bat conditionnement*',
  article:
    'article manuscrit* chronique* tribune rédact* rédaction* relect* relecture* épreuves éditeur* éditrice* édition éditions revue revues résumé* abstract* pige* pigiste* parution* bouclage* feuillet*',
  podcast:
    'podcast* balado* interview* intervieweu* épisode* studio studios tournage* vidéo* vidéos micro micros montage* youtube* émission* captation* audiovisuel* audio rushes chaîne',
  talk: 'conférencier* conférencière* conférence* exposé exposés intervention intervenant* orateur* oratrice* keynote* discours diapo* plénière* pitch* speaker* tedx allocution* parole ronde',
  stand:
    'stand stands salon salons foire foires exposant* emplacement* marché marchés forain* kakémono* étal étals placier* chapiteau* barnum* expositions',
  shop: 'stock stocks réassort* fournisseur* grossiste* agencement* vitrine* sumup zettle encaiss* inventaire* commerçant* comptoir* enregistreuse* merchandising approvisionn* étalage* présentoir* étiquet*',
  insuranceWork:
    'prévoyance* accident accidents atmp carsat malakoff humanis ag2r klesia probtp apicil suva lpp laa fedris duerp complémentaire sinistralité surcomplémentaire',
  reference:
    'recommandation recommandations recommander références appréciation* employeur* recruteur* recrutement* attestation* certificat* référents évaluation* éloge* parcours',
  jobApplication:
    'candidat* candidature postul* curriculum recrut* recrutement embauch* entretien entretiens motivation emploi emplois apec indeed cadremploi hellowork drh jobs poste interim',
  employment:
    'cdi cdd embauch* avenant* préavis démission* congé congés rtt licenciement* rupture* conventionnelle* employeur* salarié* salariée drh dpae essai contrat contrats absences',
  visitors:
    'badge badges visiteur* visiteuse* accréditation* vigik* portique* gardien* macaron* télécommande* tourniquet* laissez hôtesse* parking stationnement guérite*',
  server:
    'serveur* sauvegarde* backup* ssl tls panne pannes incident* interruption* vps ovh ovhcloud infogérance* cluster* linux docker redémarr* maintenance coupure* indisponib* datacenter*',
  projectOffer:
    'jalon* livrable* prestation* prestataire* proposition* chiffrage* avenant* moe moa sow milestone* bdc lot forfaitaire* soumission* maîtrise acompte recette cadrage*',
  materials:
    'échantillon* réactif* labo labos laboratoire* pipette* chimi* chimie matériau* matériaux consommable* éprouvette* solvant* spécimen* enzyme* anticorps merck vwr fishersci flacon*',
  audit:
    'audit audits auditeur* auditrice* auditer inspection* inspecteur* inspectrice* hygiène* haccp ddpp dreal conformité* vérificat* afnor cofrac sanitaire* veritas apave socotec contrôles iso',
  trademark:
    'brevet brevets inpi euipo marques copyright intellectuelle* contrefa* antériorité* invention* inventeur* adagp sacem gettyimages shutterstock licences déposée oeb droits dépôt',
  officeSpace:
    'bureau bureaux coworking* cowork* coworkeu* openspace wework regus domiciliation* télétravail* tierslieu* flexoffice locaux spaces nomade* morning pépinière',
  furnitureDelivery:
    'meuble* meubles mobilier* ameublement assemblage* montage* monteur* ikea conforama maisonsdumonde lapeyre laredoute kit bobois camif livreur* tylko commode',
  wardrobe:
    'armoire* penderie* dressing* placard placards garderobe* cintre* coulissant* rangement* pax encastr* menuisier* agencement* étagère* quadro tiroir* surmesure vestiaire*',
  mattress:
    'matelas sommier* literie* surmatelas lit lits oreiller* couette* lattes tediber bultex sealy futon* traversin* alèse* ressorts epeda simmons',
  vacuum:
    'aspirateur* aspirobot robot robots roomba irobot dyson rowenta miele électroménager* balai bouilloire* mixeur* grillepain thermomix friteuse* moulinex repasser darty boulanger centrale',
  fridge:
    'frigo frigos réfrigér* réfrigérateur congél* congélateur frigidaire* freezer* froid liebherr dégivr* électroménager* electrolux whirlpool glaçon* frost samsung glacière*',
  camera:
    'reflex nikon canon fujifilm lumix leica drone drones gopro dji trépied* focale* caméscope* obturateur* caméra caméras photo capteur* télépilote* appareilphoto',
  headphones:
    'casque* écouteur* enceinte enceintes airpods bose sonos jbl chargeur* câble* cordon bluetooth hifi hautparleur* parleur parleurs usb adaptateur* sennheiser oreillette*',
  watch:
    'montre montres horlog* horloger bijou* bijoux bijouterie bijoutier* joailli* bague* collier colliers bracelet* alliance alliances gravure* graver gravé pendentif* orfèvre* diamant*',
  shoes:
    'chaussure* chaussures bottes bottine* baskets sandale* cordonn* cordonnier cordonnerie ressemel* semelle* talon talons pointure* escarpin* mocassin* sneaker* spartoo eram lacet* pantoufle*',
  coat: 'manteau* veste vestes blouson* costume* robe robes pressing* teintur* doudoune* imperméable* parka* smoking* retouch* ourlet* tailleur* anorak* cravate* 5asec',
  sportsGear:
    'ski skis combinaison* néoprène* tente tentes decathlon intersport gosport sport2000 raquette* duvet* sacados bâtons maillot* crampon* surf planche* kayak* vieuxcampeur randonnée',
  mealKit:
    'paniers légume* légumes hellofresh quitoque recette* amap maraîch* maraîcher primeur* laitier* laitière* lait ferme locavor* fermier* cueillette* bio repas',
  wine: 'vin vins bière* bières brasseur* brasserie dégust* œnolog* oenolog* vigneron* vignoble* viticole cave caves caviste* champagne* cuvée* sommelier* houblon* millésim* bouteille* vinatis',
  secondHand:
    'leboncoin vinted vendeu* acheteu* acquéreur* brocant* ebay annonce annonces marketplace backmarket reconditionn* dépôtvente friperie* troc rakuten 2ememain emmaus négoci* marchander',
  returnParcel:
    'retours retourner retourné retournée étiquette étiquettes bordereau* renvoi renvoy* réexpéd* rétract* mondialrelay relais pickup colis rma échanger relaiscolis',
  spareParts:
    'détachée détachées rechange cartouche* toner* filtre filtres pile piles batterie batteries encre encres accessoire* consommable* oscaro misterauto spareka recharges ampoule*',
  ticket:
    'billet billets billett* billetterie places guichet* tickets ticketmaster fnacspectacles weezevent shotgun digitick ebillet* strapontin* gradin* loge loges spectat* tribune abonnés',
  cinema:
    'cinéma* cinémas ciné film films pathé ugc mk2 gaumont cgr kinepolis projection* séance séances allociné imax vostfr réalisateur* cinéphile* avantpremière',
  audiobook:
    'audiolivre* audiobook* audio audible ebook ebooks liseuse* kindle kobo epub tolino vivlio bookeen nextory bookbeat youscribe écoute lecteur',
  cloud:
    'cloud icloud dropbox onedrive gdrive googledrive drive kdrive pcloud nextcloud nuage stockage* sauvegard* synchronis* wetransfer googlephotos photos quota* téraoctet* gigaoctet*',
  vpn: 'vpn nordvpn protonvpn proton expressvpn surfshark antivirus* bitwarden dashlane lastpass 1password keepass norton kaspersky mcafee avast bitdefender eset parefeu malware*',
  dating:
    'duolingo babbel busuu mondly tinder bumble meetic happn gamepass xbox playstation nintendo steam strava headspace petitbambou appli applis appstore rencontres',
};
