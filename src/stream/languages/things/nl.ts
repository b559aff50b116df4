import type { Things } from './things.ts';

/** Everyday things in Dutch. */
export const THINGS_NL: Things = {
  dentist:
    'tandarts* tand tanden gebit* mondhygiën* orthodont* vulling vullingen beugel beugels kaakchirurg* tandheelkund* tandprothet* wortelkanaal* mondzorg* gaatje gaatjes kiespijn verstandskies*',
  doctor:
    'dokter* huisarts* arts artsen kinderarts* gynaecoloog dermatoloog cardioloog spreekuur* consult polikliniek* uitstrijkje consultatiebureau* orthopeed',
  eyes: 'oogarts* opticien* bril brillen* lenzen oogmeting* montuur* optometrist* ogen oog contactlenzen* oogtest* multifocaal multifocale staaroperatie* gezichtsvermogen leesbril',
  vaccination:
    'vaccin* inenting* ingeënt prik griepprik* coronaprik* rijksvaccinatie* tetanus boosterprik* inenten mazelen reisvaccinatie*',
  prescription:
    'recept recepten herhaalrecept* apotheek* apotheker* medicijn* medicatie* geneesmiddel* tabletten pillen antibiotic* zalf dosering farmac*',
  physio:
    'kinesist* kine massage* osteopa* manueeltherap* revalidatie* chiropract* oefentherap* kinesitherap* masseur* fysio fysiotherap*',
  hospital:
    'ziekenhui* kliniek* operatie* opname chirurg* narcose* dagopname* verpleegafdeling* radiologie röntgen* mri umc hospitaal spoedeisende poli dagbehandeling*',
  bloodTest:
    'bloed bloedonderzoek* bloedprik* bloedafname* lab labuitslag* cholesterol* prikpost* laboratorium* bloedwaarden nuchter schildklier* labformulier*',
  healthInsurance:
    'zorgverzeker* zorgpolis* ziektekosten* mutualiteit* ziekenfonds* zorgpremie* zorgtoeslag vgz menzis zilveren zorgkosten* declaratieoverzicht',
  electricity:
    'stroom elektric* kwh energieleverancier* energie stroomleverancier* stroomrekening* energierekening* energiecontract* stopcontact* groepenkast* eneco vattenfall meterkast* netbeheerder* zonnepanelen energiebelasting*',
  gas: 'gas gasrekening* gasleverancier* gasfles* aardgas* gasaansluiting* gasprijs* gasverbruik* gasleiding* propaan butaan gascontract*',
  water:
    'water waterbedrijf* waterschap* drinkwater* waterrekening* riool* waterverbruik* vitens evides afvalwater* waternet zuiveringsheffing* brabantwater',
  heating:
    'verwarming* ketel* cvketel* radiator* thermostaat* warmtepomp* geiser stookolie* vloerverwarming* stadsverwarming* stadswarmte branderonderhoud boiler* stookkosten',
  chimney: 'schoorsteen* haard kachel rookkanaal* openhaard* houtkachel* pelletkachel* schoorstenen roet vegen',
  plumbing:
    'loodgieter* kraan kranen lekkage* lek lekkende riool ontstopp* sifon sanitair* wastafel* gootsteen* druppelt druppelende waterleiding* toilet* stortbak* douche* afvoer afvoeren leiding leidingen',
  roof: 'dak daken dakgoot* dakgoten dakdekker* dakpan* dakbedekking* regenpijp* goot goten dakwerk* dakkapel* dakrenovatie hemelwaterafvoer',
  window:
    'raam ramen kozijn* rolluik* luiken zonwering* glaszetter* beglazing* ruit ruiten jaloezie* gordijn* ruitschade dubbelglas vensters zonnescherm* dakraam horren',
  lock: 'sleutel* sloten slotenmaker* cilinder* huissleutel* reservesleutel* hangslot*',
  garden:
    'tuin* hovenier* gazon* grasmaaier* heg hagen boom bomen snoei* moestuin* volkstuin* maaien haag kwekerij* boomverzorg* struik struiken',
  waste:
    'grofvuil* huisvuil* kliko* vuilnis* papierbak* gft milieustraat* afvalstoffenheffing* containerpark* restafval* groenbak* oudpapier pmd plasticafval kringloop* afval afvalinzamel* afvalkalender* afvalcontainer* afvalpas* recycling recyclage* recyclepark containers',
  cleaning:
    'schoonmaak* schoonmaken poetshulp* werkster* glazenwasser* poetsvrouw* reiniging* stofzuig* schoonmaker* dienstencheque* interieurverzorg* huishoudelijk* ramenwasser* poetsen poetsdienst*',
  painting: 'schilder* verf verven behang* sausen buitenschilderwerk* geschilderd stucadoor* muurverf* lakken verfwerk',
  kitchen:
    'keuken* koelkast* oven ovens vriezer* diepvries* kookplaat* afzuigkap* fornuis* magnetron* ijskast* inductie* witgoed* huishoudapparat* inbouwapparat* aanrecht* combimagnetron',
  washing:
    'wasmachine* wasdroger* wasgoed wasautomaat* droogkast* droogtrommel* wasserij* centrifug* wasserette* droger drogers',
  dishwasher: 'vaatwass* afwasmachine* vaat afwas glansspoelmiddel vaatwasmachine*',
  sofa: 'sofa* bankstel* hoekbank* fauteuil* slaapbank* zitbank* loungebank* leunstoel* stoffer* relaxfauteuil tweezitter driezits*',
  shelf:
    'boekenkast* kast kasten kledingkast* ladekast* stelling* plank planken wandrek* kleerkast* dressoir* boekenplank* vitrinekast* commode* wandkast*',
  bed: 'bed bedden matras* lattenbodem* boxspring* dekbed* beddengoed* ledikant* stapelbed* hoogslaper* tweepersoonsbed* bedframe topper hoofdkussen*',
  table:
    'tafel* eettafel* stoel stoelen salontafel* bureaustoel* keukentafel* eetkamerstoel* meubelmaker* tuintafel* timmerman* bureau bureaus',
  lamp: 'lamp lampen gloeilamp* verlichting* plafondlamp* ledlamp* hanglamp* spotje* kroonluchter* armatuur* schemerlamp* peertje',
  internet: 'internet* glasvezel* breedband* router* wifi ziggo kpn adsl telenet xs4all proximus odido modem modems',
  mobile:
    'simkaart* sim esim belbundel* roaming prepaid* mobiele databundel* telefoonabonnement* nummerbehoud* telefoonrekening* belminuten simyo',
  television: 'televisie* kijkgeld* schotel* decoder* kabeltelevisie* digitenne beeldbuis kabelabonnement',
  alarm:
    'rookmelder* inbraak* brandmelder* alarmsysteem* koolmonoxide* detector* bewegingsmelder* intercom beveiligingscamera* meldkamer* brandalarm* alarm alarmen alarmcentrale* alarminstallatie*',
  rent: 'huur huurprijs* huurverhoging* maandhuur* huurbetaling* huurachterstand* huurtoeslag* huurgeld* huurpenningen',
  serviceCharges: 'servicekosten* stookkosten* eindafrekening* bijkomende syndickosten',
  deposit: 'waarborg* borg borgsom* huurwaarborg* borgstelling* borgtocht*',
  landlord:
    'verhuur* huisbaas huurder* huurcontract* huurovereenkomst* woningcorporatie* onderhuur* huurwoning* huisbazin woningstichting* huurrecht* wooncorporatie woningbouwvereniging*',
  mortgage: 'hypothe* woonlening* rentevast* aflossing* woonkrediet* taxatie* oversluiten annuïteit* taxateur*',
  propertyTax: 'ozb onroerend* woz wozwaarde* voorheffing* kadast* gemeentebelasting* gemeentelijke',
  ownersMeeting: 'vve eigenaars syndicus* ledenvergadering* eigenaren appartementseigenaar* splitsingsakte',
  handover:
    'oplevering* sleuteloverdracht* plaatsbeschrijving* eindinspectie* overdracht voorinspectie* opleverrapport* inspectierapport opleveren woningoverdracht',
  moving: 'verhuis* verhuizen verhuizing* bakwagen verhuizer* doorstuurservice',
  meter:
    'meterstand* metersto* meteropname* watermeter* gasmeter* energiemeter* meteropnemer* meternummer* elektriciteitsmeter* meteraflezing',
  car: 'auto wagen voertuig* personenauto* motorrijtuig* automobiel* leaseauto*',
  carService:
    'garagebedrijf* autogarage* monteur* onderhoudsbeurt* olieverversing* remmen remblokken* autobedrijf* distributieriem* werkplaats* garage uitlaat carrosserie* ruitenwisser*',
  carInspection: 'apk keuring keuringsstation* autokeuring* rdw apkkeuring* herkeuring* schouwing',
  tyres:
    'band banden winterband* zomerband* bandenwissel* velg velgen wielen bandenopslag* bandenspanning* vierseizoensband* autoband* profieldiepte uitlijnen',
  carInsurance: 'autoverzekering* casco allrisk* schadevrije omnium* autopolis*',
  carTax:
    'wegenbelasting* motorrijtuigenbelasting* mrb verkeersbelasting* inverkeerstelling* biv wegenvignet kentekenbelasting',
  drivingLicence: 'rijbewij* rijles* rijschool* rijexamen* cbr autorijles rijinstruct* rijvaardigheid* theorieexamen',
  fine: 'boete* bekeuring* cjib verkeersboete* snelheidsovertreding* flitspaal* parkeerboete* geflitst naheffing* retributie*',
  bicycle:
    'fiets* rijwiel* ebike* bakfiets* swapfiets* racefiets* tweewieler* kinderfiets* pedaal mountainbike* leasefiets*',
  breakdown: 'pechhulp* anwb wegenwacht* takelwagen* takeldienst* sleepdienst* vab autopech sleepwagen weghulp*',
  parking:
    'parkeer* parkeren bewonersvergunning* bewonerskaart* garagebox* luchthavenparkeren staanplaats* bezoekersvergunning*',
  train:
    'trein* stations nmbs eurostar thalys sprinter intercity* perron* voordeelurenabonnement* spoor spoorweg* spoorkaart*',
  flight:
    'vlucht vluchten vliegtuig* luchthaven* klm instapkaart* vliegreis* schiphol vliegticket* transavia boarding* vliegveld* luchtvaart* handbagage* terugvlucht* heenvlucht* inchecken vliegen zaventem',
  bus: 'bus bussen tram trams ovchipkaart* lijnbus* delijn busabonnement* reisabonnement* buskaart* tramkaart* flixbus busrit* gvb mivb streekvervoer leerlingenvervoer metro metrokaart* metrostation*',
  ferry:
    'veer veerboot* veerdienst* overtocht* ferry* cruise* boot rederij* afvaart* bootreis* bootticket* teso inscheping veerpont',
  hotel:
    'hotel* overnachting* logies hostel* pension jeugdherberg* kamerreservering* gastenkamer* tweepersoonskamer* bnb herberg* gasthuis booking',
  holidayFlat:
    'vakantiehuis* vakantiewoning* vakantieappartement* airbnb vakantiepark* bungalow* vakantieverblijf* chalet* natuurhuisje* zomerhuis* landal vakantieadres* vakantiehuizen',
  carHire: 'huurauto* autoverhuur* huurwagen* sixt europcar hertz avis greenwheels autohuur* deelauto* leenauto*',
  travelInsurance:
    'reisverzekering* annuleringsverzekering* reisbijstand* repatriëring* reispolis* reisannulering* bagageverzekering annuleringsdekking',
  visa: 'visum* visa verblijfsvergunning* consulaat* ambassade* esta verblijfskaart* verblijfsdocument* inreis* verblijfstitel',
  passport:
    'paspoort* identiteitskaart* idkaart* identiteitsbewij* reisdocument* pasfoto* eid legitimatie* identiteitsdocument*',
  tax: 'belasting* fiscus fiscaal fiscale fod heffing heffingen aanslagbiljet* mijnbelastingdienst',
  taxReturn:
    'belastingaangifte* aangifte aanslag* inkomstenbelasting* boekhoud* belastingadviseur* voorlopige personenbelasting* accountant* jaaropgave* belastingteruggave* aangifteformulier* teruggaaf',
  vat: 'btw omzetbelasting* btwaangifte* kwartaalaangifte* btwnummer* icp voorbelasting',
  salary:
    'salaris* loon lonen loonstrook* loonbrief* loonadministratie* loonspecificatie* vakantiegeld* jaaropgaaf loonfiche* wedde nettoloon* bezoldiging* loonheffing*',
  pension: 'pensioen* aow lijfrente* abp svb aowleeftijd*',
  bankCard:
    'bankpas* pinpas* betaalpas* pincode* maestro bankkaart* betaalkaart* debetkaart* bancontact geldautomaat* pinnen',
  bankAccount:
    'bankrekening* betaalrekening* zichtrekening* iban rabobank abn spaarrekening* rekeningafschrift* roodstand* rekeningnummer* rekeninguittreksel* bankafschrift* rekeninghouder* overstapservice',
  loan: 'lening* krediet* aflossen termijnbedrag* afbetaling* studieschuld* bkr doorlopend schuldeiser* leenbedrag*',
  creditCard: 'creditcard* kredietkaart* mastercard* amex visakaart* icscards kaarthouder* visacard*',
  insurance: 'verzeker* polis polissen assurant* polisblad* tussenpersoon*',
  liability: 'aansprakelijk* avp bedrijfsaansprakelijkheid* familiale',
  household:
    'inboedel* woonverzekering* brandverzekering* woonhuisverzekering* opstalverzekering* woningverzekering* huisraad opstal opstalpolis',
  legalInsurance: 'rechtsbijstand* arag rechtshulp* geschil*',
  lifeInsurance:
    'levensverzekering* overlijdensrisico* uitvaartverzekering* arbeidsongeschiktheid* begunstigde* schuldsaldo* aov kapitaalverzekering* overlijdensverzekering*',
  claim:
    'schade schadeclaim* schademelding* expertise* schadeformulier* waterschade* schadevergoeding* schadeaangifte* ongeval* aanrijding* stormschade* schadegeval* schadenummer* claim schadedossier* ongeluk',
  court:
    'rechtbank* rechter* zitting* dagvaarding* vonnis* kantonrechter* rechtszaak* vredegerecht* gerechtshof* gerechtsdeurwaarder* griffie* deurwaarder* procesvoering hoorzitting*',
  lawyer: 'advoca* jurist* raadsman raadsvrouw rechtshulp* volmacht cliënt',
  notary:
    'notaris* notarieel notariële akte aktes passeren leveringsakte* koopakte* notariaat* hypotheekakte* legalisatie*',
  inheritance:
    'erfenis* testament* nalatenschap* erfgena* erfrecht* erfbelasting* executeur* successie* erflater* erven erfdeel* legaat codicil*',
  residence:
    'adreswijziging* brp basisregistratie* domicilie* woonplaats* bevolkingsregister* verhuisaangifte* uitschrijv* verhuismelding* ingezetene*',
  certificate: 'geboorteakte* huwelijksakte* uittreksel* vog overlijdensakte* apostille* akte attest* getuigschrift*',
  vote: 'verkiezing* stempas* stembureau* stembiljet* stembrief* kiezer* gemeenteraadsverkiezing* kiesbrief* kieskring* referendum* stemhokje* stemlokaal opkomstplicht stemmen',
  benefit: 'uitkering* uwv bijstand* werkloos* toeslag* huurtoeslag rva leefloon* wajong ocmw vdab participatiewet',
  childBenefit:
    'kinderbijslag* kindgebonden* ouderschap* zwangerschapsverlof* groeipakket* kindertoeslag* geboortepremie* bevallingsverlof* svb geboorteverlof*',
  school:
    'school* scholen basisschool* leerling* leraar lerares leerkracht* klas juf middelbare docent* huiswerk* bijles*',
  nursery:
    'kinderdagverblijf* crèche* peuter* kinderopvang* kleuter* bso kdv opvang voorschool* naschoolse opvangplaats*',
  trip: 'schoolreis* uitstap* excursie* schoolkamp* uitje* daguitstap* bosklas* werkweek wandeltocht* zeeklas* sneeuwklas* kampweek dagtocht*',
  permission: 'toestemming* instemming* invulstrook*',
  parentsEvening:
    'ouderavond* oudergesprek* ouders tienminuten* oudercontact* ouderraad* rapportgesprek* voortgangsgesprek* mentoravond* informatieavond*',
  canteen:
    'schoolmaaltijd* kantine* overblijf* schoolrefter* refter* tussenschoolse tso eetzaal* overblijven middagmaal*',
  music:
    'muziek* piano* viool* gitaar* dwarsfluit* drumles* blokfluit* notenleer trompet* klarinet* saxofoon* cello celloles cellist*',
  swimming: 'zwem* badpak* afzwem* borstcrawl* badmeester*',
  exam: 'examen* tentamen* toets toetsen eindexamen* hertentamen* proefwerk* herexamen* herkansing* schoolexamen* staatsexamen* toetsweek*',
  university:
    'universit* hogeschool* scriptie* thesis collegegeld* duo semester student* tentamenperiode masterscriptie* bachelorscriptie* proefschrift* hoorcollege* faculteit* inschrijfgeld* promotor studielink* studie studies studiepunten',
  childminder:
    'gastouder* onthaalouder* babysit* onthaalmoeder* kinderoppas* nanny aupair oppas oppassen oppasser* oppasouder*',
  birthday: 'jarig* kinderfeestje* verjaar* kaarsjes geboortedag',
  wedding:
    'bruiloft* huwelijk* trouwen trouwdag* bruidegom* ceremoniemeester* ondertrouw* trouwring* trouwkaart* verloving* vrijgezell* trouwjurk* bruidspaar* trouwfeest* trouwambtenaar* trouwerij* bruid bruidsjurk*',
  funeral:
    'begrafenis* uitvaart* crematie* graf begraafplaats* rouw* condole* teraardebestelling* grafsteen* grafrecht* urn kist asbestemming* grafzerk* afscheidsdienst*',
  vet: 'dierenarts* dierenkliniek* ontworm* castratie sterilisatie rabiës* veearts* hondsdolheid* dierenziekenhuis gecastreerd',
  kennel:
    'dierenpension* hondenpension* kattenpension* hondenoppas* kattenoppas* hondenopvang* hondenuitlaat* dierenhotel* dierenopvang* kattenhotel* uitlaatservice*',
  dogTax:
    'hondenbelasting* hond honden pup puppy* hondenpenning* hondenbezit* hondenschool* viervoeter* hondentraining*',
  football:
    'voetbal* sportclub* elftal* wedstrijd* sportvereniging* contributie* hockey* handbal* toernooi* sportpark* thuiswedstrijd* tennisclub* turnvereniging* korfbal*',
  gym: 'sportschool* fitness* sportabonnement* krachttraining* crossfit* loopband*',
  yoga: 'yoga* pilates meditat* mindfulness ontspanningscursus* hatha vinyasa',
  choir:
    'koren koorrepetitie* zangkoor* zingen dirigent* sopraan* popkoor* kerkkoor* tenoren cantate* koor koorzang* zang zangles* zanger zangers zangeres zangavond*',
  library: 'bibliotheek* bieb uitleen* uitgeleend* leentermijn* ontleend* inlever* telaatgeld* bibliotheken',
  theatre: 'theater* schouwburg* toneel* ballet* voorstelling* musical* cabaret* première* opera operahuis',
  concert: 'concert* festival* orkest* ticketmaster popconcert* symfonie* philharmon*',
  museum: 'museum* musea tentoonstelling* expositie* galerie* vernissage* kunsthal* rijksmuseum rondleiding*',
  restaurant:
    'restaurant* eetcafé* diner dineren bistro* tafelreservering* eethuis* brasserie* etentje* pizzeria* uiteten trattoria',
  newspaper:
    'tijdschrift* dagblad* weekblad* magazine* krantenabonnement* ochtendblad bezorgklacht* volkskrant nrc maandblad* proefabonnement* kranten krant',
  streaming: 'streaming* netflix spotify disney videoland dazn audible viaplay streamz primevideo deezer',
  software: 'software* licentie* microsoft adobe virusscanner* antivirus* programmatuur',
  domain: 'domein* hosting* webhosting* transip dns ssl website* webruimte strato webadres* internetsite',
  conference:
    'conferentie* congres* symposium* beurs vakbeurs* studiedag* keynote* beursstand* symposia exposant* jaarcongres',
  course:
    'cursus* workshop* opleiding* bijscholing* nascholing* taalcursus* ehbo webinar* cursist* bhv volksuniversiteit* studiedag bedrijfstraining*',
  contract:
    'contract* overeenkomst* arbeidscontract* ondertekening* tekenen docusign addendum arbeidsovereenkomst* handtekening* raamovereenkomst*',
  quote:
    'offerte* prijsopgave* prijsvoorstel* kostenraming* aanbesteding* prijsofferte* begroting* prijsaanvraag* prijsindicatie*',
  translation:
    'vertaal* vertaling* vertaler* vertalen beëdigd* correctiewerk* tweetalig* ondertitel* tolk tolken tolkdienst*',
  meeting:
    'vergader* overleg* bespreking* notulen agendapunt* meeting* videogesprek* teamoverleg* werkoverleg* bijeenkomst* videovergadering*',
  presentation: 'presentatie* powerpoint* slides spreekbeurt* lezing* voordracht* presenteren slidedeck',
  expenses:
    'declaratie* onkosten* reiskosten* bonnetjes kilometervergoeding* declareren kostennota* zakenreis* dienstreis* kostendeclaratie* verblijfskosten',
  timesheet:
    'urenstaat* urenregistratie* urenbriefje* tijdregistratie* overuren timesheet* werkbriefje* urenverantwoording* werkstaat urenstaten prestatieblad* uurstaat* urenoverzicht*',
  laptop: 'laptop* computer* notebook* macbook* thinkpad beeldscherm* werkstation* chromebook* schootcomputer',
  eventHall:
    'zaal zalen feestzaal* zaalhuur* zaalverhuur* dorpshuis* evenementenlocatie* parochiezaal* buurthuis* feestlocatie* trouwlocatie* vergaderruimte* congreszaal* wijkcentrum* sporthal* partytent*',
  printing:
    'drukker* drukwerk* flyer* visitekaart* folder folders affiche* brochure* drukproef* drukproeven briefpapier* printen copyshop* kopieer* poster posters',
  parcel:
    'pakje pakjes postnl zending* bezorging* dhl afhaalpunt* koerier* bpost dpd gls pakketpunt* pakketje* bezorger* afhaalbericht* postpakket* retourzending* pakket pakketten pakketdienst*',
  clothes:
    'schoen* kleding* kleren jas jassen laarzen kleermaker* trui truien sneakers zalando blouse* overhemd* kostuum* winterjas* broek broeken jurk jurken jurkje*',
  phone: 'telefoon* smartphone* gsm iphone* mobieltje* ipad* schermreparatie* android galaxy tablet tablets',
  book: 'boek boeken boekhandel* roman romans isbn leesboek* studieboek* boekwinkel* paperback* prentenboek* luisterboek* bruna',
  coffee: 'koffie* espresso* nespresso delonghi jura ontkalk* senseo cappuccino* volautomaat*',
  gift: 'cadeau* geschenk* kadobon* relatiegeschenk* kerstpakket* sinterklaascadeau* kado kadootje*',
  flowers: 'bloem bloemen* bloemist* boeket* ruiker* tulpen fleurop orchidee* bloemstuk* rouwkrans*',
  food: 'boodschap* supermarkt* maaltijdbox* thuisbezorgd slager* bakker* catering* groentepakket* cateraar* pizza levensmiddelen* groenteboer* etenswaren maaltijdbezorging',
  christmasTree: 'kerstboom* kerstbomen kerst kerstspar* nordmann spar fijnspar* kerstversiering*',
  hearing:
    'gehoor* gehoortest* hoortoestel* hoorapparaat* hoortest* audicien* audioloog audiolog* oor oren oorarts* oorsmeer oorstukje* kno schoonenberg tinnitus oorsuizen doof slechthorend*',
  allergy:
    'allerg* astma* hooikoorts* pollen huidtest* desensibilis* immunotherap* inhalator* pufje puffer longarts* longfunctie* longpoli huisstofmijt* intoleran* antihistamin* epipen voedselallergie* eczeem',
  heart:
    'hart hartfilm* hartonderzoek* hartpoli hartecho* hartkliniek* cardio cardiolog* cardioloog ecg bloeddruk* bovendruk holter* pacemaker* hartritme* cholesterol* statine* fietstest* hartinfarct*',
  skin: 'huid huidarts* huidpoli* huidkliniek* huidtherap* huidzorg huidkanker* moedervlek* dermatolog* dermatoloog eczeem psoriasis acne wrat wratten melano* biopt* huiduitslag*',
  xray: 'röntgen* mri mriscan ctscan scan scans echo echografie* echografisch* radiolog* radioloog mammogra* borstfoto* botdichtheid* beeldvorm* contrastvloeistof dexa petscan longfoto',
  operation:
    'operatie* operatief opereren geopereerd ingreep ingrepen chirurg* chirurgie narcose* anesthes* verdoving* dagbehandeling* dagopname* nuchter hechting* kijkoperatie* liesbreuk* preoperatie* voorscreening',
  cataract:
    'staar staaroperatie* cataract* kunstlens* ooglens* ooglaser* ooglaseren laseren lasik netvlies* hoornvlies* oogkliniek* oogoperatie* oogziekenhuis* oogdruppel* macula* glaucoom nastaar',
  pregnancy:
    'zwanger* verloskund* vroedvrouw* bevalling* bevallen kraamzorg* kraambed kraamhulp* kraamverzorg* echopraktijk* geboorte geboorteplan* prenatale nipt verlostest* gynaecolo* termijnecho* lactatie* borstvoeding* doula*',
  therapy:
    'therap* psycholo* psycholoog psychotherap* psychiat* ggz logoped* ergotherap* gesprekstherap* relatietherap* counsel* emdr stotter* dyslex* burnout depressi* kindertherap* poh',
  insoles:
    'steunzool* steunzolen inlegzool* inlegzolen zolen podolo* podoloog podotherap* orthoped* orthopedie spalk* brace braces prothes* orthes* voetzorg* pedicure* schoentechniek schoenmakerij bandagist*',
  careHome:
    'verpleeghui* verzorgingshui* verzorgingstehuis* bejaardentehuis* bejaardenhui* zorgcentrum* woonzorg* woonzorgcentrum wzc rusthui* rusthuis zorgvilla* aanleunwoning* serviceflat* ouderenzorg* seniorenresidentie* zorginstelling* verpleegafdeling* assistentiewoning*',
  carer:
    'mantelzorg* thuiszorg* thuishulp* thuisverpleg* wijkverpleg* wijkzuster* verzorgende* pgb wmo wlz ciz zorgindicatie* indicatiebesluit* zorgbudget* buurtzorg familiehulp gezinszorg* gezinshulp* zorgtoeslag* hulpbehoevend*',
  sickNote:
    'ziekmeld* ziektebriefje* ziekbriefje* doktersbriefje* doktersattest* doktersverklaring* ziekteattest* ziekteverlof* ziekteverzuim* ziek zieken arbeidsongeschikt* arbodienst* arboarts* bedrijfsarts* verzuim* afwezigheidsattest* attest',
  cure: 'kuur kuren kuuroord* kuurverblijf* kuurhotel revalidatie* revalidatiecentrum revalideren herstelverblijf* hersteloord* zorghotel* thermen thermaal thermale wellness* sanatorium* badplaats* herstellingsoord*',
  hair: 'kapper kappers kapper* kapsalon* kapster* haren haarsalon* hairstudio haarstudio haarmode hairstyl* barbier* barbershop* knipbeurt* knippen kapsel* coupe pruik* haarwerk* haarverzorging',
  nutrition:
    'diëtist* diëtet* dieet diëten voeding voedingsadvies* voedingsdeskundig* voedingsschema* afslank* afvallen gewicht overgewicht gewichtsconsult* obesitas bmi calorie* gezondgewicht* vermager*',
  firstAid:
    'ehbo eerstehulp* bhv reanimatie* reanimeren aed hulpverlener* verbanddoos verbandkoffer* levensreddend* rodekruis kruis oranjekruis noodhulp* ambulance* herhalingsles* kinderehbo',
  wheelchair:
    'rolstoel* rollator* scootmobiel* traplift* tillift* krukken looprek* wandelstok* hulpmiddel* hulpmiddelen thuiszorgwinkel* invalide* invaliden* gehandicapt* douchestoel* hooglaagbed* medipoint mindervalid*',
  boilerService:
    'cvketel* ketel ketels ketelonderhoud* ketelbeurt* combiketel* warmtepomp* warmtepompen verwarming* installateur* installatiebedrijf* remeha vaillant nefit intergas feenstra brander* boiler* brandgaskeuring stookketel*',
  solar:
    'zonnepane* zonnepaneel* zonne zonnecel* zonnecollector* zonneboiler* zonnestroom* omvormer* thuisbatterij* thuisaccu* laadpaal* wallbox* saldering* salderen teruglever* opwek* solar zonneenergie*',
  insulation:
    'isolatie* isoleren isoleer* spouwmuur* dakisolatie* vloerisolatie* gevel gevels gevelwerk* gevelrenovatie* voegwerk* voeger* stukadoor* stucwerk* stuc pleister* bepleister* steiger* glaswol purschuim',
  floor:
    'vloer vloeren vloer* parket* parketteur* laminaat* tegelvloer* tegels tegelwerk* tegelzetter* tapijt* plinten dekvloer* gietvloer* pvcvloer* houtenvloer* stoffeerder* linoleum* schuren marmoleum',
  bathroom:
    'badkamer* douche* douchecabine* ligbad* badkuip* bad wastafel* toilet* sanitair* regendouche* inloopdouche* mengkraan* badmeubel* toiletpot* sanitairwinkel* bidet*',
  door: 'deur deuren voordeur* buitendeur* binnendeur* achterdeur* garagedeur* garagepoort* poort poorten sectionaalpoort* deurbel* videofoon* parlofoon* intercom* deurklink* deurkruk* schuifdeur* deurbeslag hörmann',
  fence:
    'hek hekken hekwerk* schutting* schuttingen schuttingpa* omheining* afrastering* tuinmuur* tuinafscheiding* tuinpoort* tuinscherm* draadafsluiting* erfafscheiding* heg hagen paaltje* gaas poortje betonschutting*',
  shed: 'schuur schuren schuurtje* tuinhui* tuinhuisje* blokhut* berghok* kas kassen tuinkas* broeikas* carport* overkapping* veranda* volkstuin* pergola* prieel moestuincomplex*',
  pests:
    'wespen* wespennest* muizen muis ratten rattenbestrijd* ongedierte* plaagdier* plaagdierbestrijd* houtworm* boktor* bedwants* kakkerlak* mieren mollen marter* processierups* hoornaar* verdelg* verdelger*',
  mould:
    'schimmel* vocht vochtig* vochtbestrijd* vochtprobleem* vochtplek* waterschade* zwam huiszwam* optrekkend* doorslaand* condens* lekkage* lekdetectie* ontvochtig* droogtechniek* kruipruimte* vochtwering*',
  lift: 'lift liften liftonderhoud* liftkeuring* liftmonteur* liftcabine* liftinstallatie* personenlift* goederenlift* roltrap* kone otis schindler liftinstituut huislift* orona trappenhui*',
  buildingPermit:
    'bouwvergunning* omgevingsvergunning* bouwaanvraag* omgevingsloket* bouwtekening* bouwplan* bouwbesluit* architect* architectuur architecten bestemmingsplan* omgevingsplan* welstand* verbouw* bouwtoezicht aanbouw* uitbouw* stedenbouw* dakopbouw*',
  survey:
    'landmeter* landmeet* landmeting* inmeting* kadast* kadaster taxateur* taxatie* taxeren taxatierapport* energielabel* epc epccertificaat* bouwkundig* keuringsrapport* asbest* expertise* deskundigenrapport* perceelgrens* grensreconstructie*',
  housePurchase:
    'makelaar* makelaardij makelaars vastgoed* immo koopwoning* koopakte* koopovereenkomst* huiskoop woningkoop* koophuis huizenkoop verkoopmakelaar* aankoopmakelaar* funda immoweb compromis aktepassering bouwkavel* woonhuis*',
  houseViewing:
    'bezichtig* bezichtiging kijkdag* kijkmoment* huisbezoek plaatsbezoek* woning woningen woningaanbod* appartement* huurwoning* huurappartement* funda pararius immoweb flat studio huizenjacht hospiteer*',
  subtenant:
    'huisgenoot* huisgenoten kamerhuur* kamerhuurder* kamerverhuur* onderhuur* onderhuurder* hospita huisgenote kotgenoot* kot koten kotmadam studentenkamer* medebewoner* medehuurder* kamernet hospiteer* cohous* kamer',
  storage:
    'opslag opslagruimte* opslagbox* opslagunit* zelfopslag selfstorage shurgard berging bergruimte* kelder kelders kelderbox* kluisje* kluisjes locker* lockers garagebox* inboedelopslag* allsafe meubelopslag*',
  firewood:
    'brandhout* haardhout* openhaardhout houtblok* stookhout* hout pellet pellets houtpellet* stookolie* mazout* huisbrandolie* olietank* mazouttank* houtkachel* kuub kachelhout* houthandel*',
  tools:
    'gereedschap* boormachine* boorhamer* ladder ladders trapladder* hamer zaag zagen cirkelzaag* schuurmachine* boels gamma karwei hornbach bouwmarkt* verhuurbedrijf* hogedruk* schroefmachine* bouwmaterieel',
  curtains:
    'gordijn* gordijnen vitrage* rolgordijn* raamdecoratie* raambekleding* jaloezie* luxaflex plissé* kussen kussens stoffering* stoffeerder* stofferen meubelstof* naaien naaimachine* naaiatelier* overgordijn* stoffen',
  plants:
    'plant planten plantjes plantgoed* zaad zaden zaadjes zaaien zaaigoed* zaailing* stekje* stekken potgrond* tuinaarde bloembollen tuincentrum* kwekerij* boomkwekerij* moestuin* intratuin',
  airConditioning:
    'airco* airconditioning* ventilatie* ventilatiesysteem* mechanische wtw balansventilatie* afzuigkap* afzuiging* dampkap* klimaatbeheers* klimaatinstallatie* koeling* koeltechniek* koudemiddel* luchtfilter* filter filters daikin ventilator*',
  fireSafety:
    'brandblus* blusser* blusmiddel* blusdeken* brandveilig* brandpreventie* rookmelder* rookdetect* brandweer* brandmeld* brandmelder* ontruiming* ontruimings* noodverlichting* brandslang* saval ansul sprinkler* brandhaspel*',
  windscreen:
    'voorruit* autoruit* autoruiten autoglas* autoglas carglass glasgarage ruitschade* ruit ruiten sterretje* sterreparatie* barst barstje* ruitvervanging* ruitherstel glasschade* glass autotaalglas achterruit*',
  carPurchase:
    'autokoop autodealer* autoverkoop* autobedrijf* dealer* dealers occasion occasions kenteken* kentekenkaart* nummerplaat* vrijwaring* tenaamstelling* rdw div proefrit* inruil* tweedehandswagen* autoscout24 showroom*',
  carLease:
    'lease* leaseauto* leasecontract* leasewagen* leasing leasemaatschappij* inname inleveren ayvens alphabet athlon leaseplan arval restwaarde* privatelease* kilometerstand* kilometrage meerkilometers bedrijfswagen*',
  motorbike:
    'motor motoren motorfiets* motorrij* motorrijbewijs* scooter* brommer* bromfiets* snorfiets* snorscooter* moped* vespa yamaha kawasaki ducati harley motorhelm* helm motorpak* motorzaak*',
  camper:
    'camper* campers caravan* vouwwagen* camping* campings kampeer* kamperen kampeerplaats* kampeerplek* staplaats* standplaats* kampeerterrein* campervan* camperplaats* tent tenten acsi mobilhome* kampeerauto*',
  boat: 'boot boten zeilboot* zeil* jachthaven* jacht jachten haven ligplaats* aanlegplaats* vaarbewij* sloep sloepen watersport* marina motorboot* winterstalling* schip scheepswerf* stuurbrevet*',
  toll: 'tol tolweg* tolheffing* tolkosten* tolbadge* tolkastje* tolvignet* vignet* vignetten autosnelwegvignet* milieuzone* lez milieusticker* umweltplakette* westerscheldetunnel blankenburg liefkenshoek* zerosticker crit péage',
  oilChange:
    'olieverversing* olie olieverver* motorolie* accu autoaccu* startaccu* remmen remblok* remschij* uitlaat* uitlaten distributieriem* oliefilter* onderhoudsbeurt* kwikfit euromaster garage midas accus',
  charging:
    'laadpas* laadpaal* laadpalen laadpunt* laadstation* laadkabel* laadsessie* laadkosten* laadtegoed* snellad* snellader* snellaad* opladen oplaad* oplaadpunt* fastned allego shellrecharge ionity wallbox*',
  seat: 'zitplaats* stoelreserver* stoelkeuze* stoelnummer* stoel stoelen raamplaats* gangpad* gangpadplaats beenruimte* upgrade* ruimbagage* handbagage* bagage* koffer koffers extrabagage zitplaatsreserver*',
  luggage:
    'bagage* bagageband* reistas* koffer koffers valies valiezen rugzak* handbagage* ruimbagage* bagagelabel* bagagekluis* verloren gevonden vermist* samsonite rimowa trolley* verlorenvoorwerp*',
  refundTravel:
    'vertraging* vertraagd* vluchtvertraging* annulering* geannuleerde* compensatie* schadeloosstelling* passagiersrecht* overboek* geldterug* euclaim airhelp flightclaim vluchtclaim* reisgeld restitutie* treinvertraging* uitgevallen',
  stay: 'nacht nachten overnacht* overnachting* verblijf verblijven kamer kamers halfpension volpension ontbijt* incheck* uitcheck* logies logeer* tweepersoonskamer* eenpersoonskamer* aankomstdag* gastenverblijf* hotelkamer*',
  tour: 'rondleiding* stadswandeling* excursie* dagtocht* rondvaart* gids gidsen stadsgids* skipas* skihuur* skiverhuur* skiles* audiotour* uitstap* bezoekerscentrum* wandeling* getyourguide toerisme* vvv',
  taxi: 'taxi taxi* taxis taxicentrale* taxirit* taxibedrijf uber bolt transfer* luchthavenvervoer* luchthaventransfer* shuttle* pendelbus* chauffeur* carpool* meerijd* blablacar regiotaxi* deeltaxi* zorgvervoer*',
  invoice:
    'factuur* facturen factuurnummer* gefactureerd* factureren nota notas rekening rekeningen eindafrekening* deelfactuur* voorschotnota* voorschotfactuur* creditnota* betaaltermijn* vervaldatum* vervaldag* verschuldigd* ereloon* ereloonnota*',
  reminderFee:
    'aanmaning* aangemaand betalingsherinnering* betaalherinnering* incasso* incassobureau* incassokosten* ingebrekestelling* deurwaarder* gerechtsdeurwaarder* betalingsachterstand* achterstallig* wanbetal* wik sommatie* intrum openstaande schuldhulp* rappelkosten*',
  standingOrder:
    'incasso* incassant* machtig* machtiging machtigingskenmerk* mandaat mandaten sepa doorlopende domiciliëring* afschrijving* afgeschreven spaaropdracht* betalingsopdracht* betaalopdracht* stornering* storneren',
  transfer:
    'overschrijv* overschrijving* overboek* overboeking* overmaken overgemaakt iban bic swift tikkie begunstigde* spoedbetaling* storting* storten bijschrijving* bijgeschreven wise bancontact payconiq wero',
  investment:
    'belegg* beleggen beleggingsfonds* beleggingsrekening* effecten* effectenrekening* aandelen aandeel obligatie* fonds fondsen etf dividend* degiro beurs belegger* vermogensbeheer* portefeuille* koers indexfonds*',
  savings:
    'sparen spaar* spaarrekening* spaargeld* spaarrente* spaarplan* spaardeposito* deposito* depositorekening* termijnrekening* kasbon* rente rentevergoeding* rentetarief* rentepercentage* kinderspaar* jeugdspaar* vermogensopbouw spaarboekje*',
  crypto:
    'crypto* cryptomunt* bitcoin* bitvavo btc ethereum* coinbase kraken binance bitpanda blockchain* wallet* token tokens stablecoin* nft staking altcoin* ledger cryptobeurs*',
  donation:
    'donatie* doneren donateur* gift giften giftbewij* schenking* schenken collecte* doel doelen goededoel* liefdadig* anbi fiscaalattest sponsor* unicef kwf steunbetuiging* kankerbestrijding',
  refund:
    'terugbetal* terugbetaling* terugbetaald terugstort* teruggestort* restitutie* creditnota* creditfactuur* chargeback* terugvorder* terugboeking* terugboeken gecrediteerd herroep* terugkrijg*',
  grant:
    'subsidie* subsidies subsidieaanvra* toelage* studiebeurs* beurzen premie premies renovatiepremie* isde rvo financieringsaanvra* fondsaanvraag* bijdrageregeling* verbouwpremie* vlaio erasmusbeurs* stipendi* tegemoetkoming* onderzoeksbeurs*',
  studentLoan:
    'duo studiefinanciering* studielening* studieschuld* studietoelage* studiebeurs* schooltoelage* stufi basisbeurs* leenstelsel* prestatiebeurs* terugbetaalregel* aflosfase* student studenten studentenreisproduct* collegegeldkrediet* uitwonende*',
  businessRegistration:
    'kvk koophandel handelsregister* bedrijfsinschrijving* inschrijvingsnummer* ondernemingsnummer* ondernemingsloket* kbo eenmanszaak* zzp zzper* zelfstandig* ondernemer* statuten vof rsin startersloket* ubo handelsnaam*',
  bookkeeping:
    'boekhoud* boekhouder boekhouding administratiekantoor* accountant* accountants jaarrekening* jaarcijfers* jaarstukken* balans winstverlies grootboek* boekjaar* samenstelverklaring* afschrijvingen exactonline moneybird eboekhouden boekstuk* boekingsstuk*',
  customs:
    'douane* douanekosten invoer invoerrecht* invoerheffing* importheffing* import* inklaring* inklaren ingeklaard accijns* invoerbtw eori inklaringskosten* expediteur* cn23 douaneaangifte* uitvoer transito',
  powerOfAttorney:
    'volmacht* gevolmachtigd* levenstestament* wilsverklaring* zorgvolmacht* bewind bewindvoer* curatele* curator mentorschap* wilsbeschikking* voogd voogdij* zaakwaarnem* wilsonbekwaam* behandelverbod* lastgeving*',
  powerStatement:
    'bsn burgerservicenummer* sofinummer* rijksregisternummer* rijksregister verzekeringsbericht* arbeidsverleden* loopbaan* loopbaanoverzicht* mypension mijnpensioenoverzicht* pensioenoverzicht* mijnuwv dienstverband* werkgeversverklaring* insz sociaalzekerheid* diensttijd*',
  deathCertificate:
    'overlijd* overlijdensakte* overleden overlijdensbericht* nabestaand* weduwe* weduwnaar* weduwepensioen* partnerpensioen* overlevingspensioen* anw sterfgeval* sterfte nalatenschap* erfrecht* wezenpensioen*',
  citizenship:
    'nationaliteit* naturalisatie* naturaliser* staatsburger* burgerschap* nederlanderschap* inburger* inburgering* inburgeringsexamen* optieprocedure* nt2 taalexamen* taalcertificaat* taalniveau* naturalisatieceremonie* staatsexamen* paspoort knm',
  workPermit:
    'werkvergunning* tewerkstellingsvergunning* arbeidsvergunning* arbeidskaart* verblijfsvergunning* verblijfsdocument* verblijfskaart* verblijfstitel* verblijfsrecht ind kennismigrant* gvva twv mvv vreemdelingen* vreemdelingenzaken vreemdelingendienst* expat* immigra*',
  police:
    'politie* politiebureau* politiezone wijkagent* agent agenten aangifte* diefstal* gestolen dief dieven inbraak* ingebroken getuige* getuigenverklaring* verbaal recherche* opsporing* beroofd',
  criminalRecord:
    'vog gedragsverklaring* goedgedrag uittreksel* strafregister* strafblad* justis justitiële justitieel antecedent* screening* integriteit* strafrechtelijk* veroordel* betrouwbaarheidsonderzoek* zedendelict*',
  complaint:
    'klacht klachten klacht* klachtenformulier* klachtencommissie* geschillencommissie* geschil geschillen ombudsman* ombudsdienst* consumentenbond* testaankoop juridischloket acm kifid reclamatie* beklag bezwaar* gebrek gebreken',
  warranty:
    'garantie* garantiebewij* garantieclaim* garantietermijn* defect defecten kapot omruil* omruilen ruilen terugroep* terugroepactie* reparatie* coulance* productiefout* fabrieksfout* fabrieksgarantie* conformiteit* ondeugdelijk*',
  lostCard:
    'geblokkeerd* blokkeren blokkering* deblokk* cardstop pasblokk* pincode* pincode pukcode vervangpas* vervangende pasverlies gestolen fraude* phishing bankpas* betaalpas* skimming oplichting*',
  schoolPlace:
    'schoolkeuze* schoolinschrijv* aanmeldformulier* schoolaanmeld* schoolplaats* schoolplek* toelating* basisschool* middelbare brugklas* aanmeldperiode* leerplicht* kleuterschool* voorkeurslijst* loting* lagere secundair* schooladvies*',
  schoolReport:
    'schoolrapport* rapport rapporten rapportcijfer* cijferlijst* cijfers puntenlijst* getuigschrift* eindrapport* kerstrapport* overgang diploma* schooladvies* oudergesprek* magister somtoday smartschool rapportgesprek* overgangsrapport*',
  schoolBooks:
    'schoolboek* schoolboeken leerboek* werkboek* schoolspullen* schoolgerei schoolmateriaal* boekenlijst* boekenpakket* boekenfonds* schriften schrift schooltas* etui boekentas* rekenmachine* vandijk kopieerkosten* leermiddelen* kaften',
  tutoring:
    'bijles* bijlessen bijlesdocent* huiswerkbegeleid* huiswerkinstituut* huiswerkklas* studiebegeleid* examentraining* remedial rekenles* wiskunde* wiskundebijles* rekenen mentor inhaalles* lyceo studiehulp*',
  exchange:
    'uitwisseling* uitwisselingsproject* uitwisselingsstudent* schooluitwisseling* taaluitwisseling* studentenuitwisseling* gastgezin* gastouders gastleerling* erasmus* buitenlandjaar* studiereis* partnerschool* afs highschooljaar exchange taalreis* jumelage*',
  camp: 'zomerkamp* vakantiekamp* kamp kampen jeugdkamp* speelplein* speelpleinwerking* kampweek* ponykamp* sportkamp* vakantieopvang* kinderkamp* bso jeugdvakantie* taalkamp* bivak* kazou zeilkamp* herfstkamp*',
  costume:
    'kostuum* kostuums verkleed* verkleden verkleedkleren carnaval* carnavalspak* vermomm* kerstspel* schooltoneel* toneelstuk* musical* eindmusical* schmink* masker maskers optocht* halloween* pruik* feestkleding*',
  prom: 'gala galabal* galafeest* eindexamenfeest* examenfeest* diplomauitreiking* diploma* afstuderen afstudeer* afstudeerfeest* proclamatie* galajurk* eindbal* afscheidsfeest* schoolgala* honderddagen* chrysostomos* promotiefeest* uitreiking* eindexamengala*',
  judo: 'judo* judopak* judoband judoclub karate* taekwondo* aikido jiujitsu dojo tatami vechtsport* krijgskunst* boks* kickboks* bandexamen* budo sensei schermen schermclub zelfverdediging*',
  dance:
    'dansen dansles* danslessen dansschool* dansstudio* danser* danseres* dansvoorstelling* ballet* balletles* streetdance* hiphop salsa tango zumba* stijldans* spitzen tutu choreogra* dansfeest*',
  riding:
    'paard paarden paardrij* paardrijden manege* maneges pony ponys ponyclub* ponyrijden ruiter* stal stalling stallen hippisch* hoefsmid* zadel* knhs dressuur* pensionstalling*',
  tennis:
    'tennis* tennisbaan* tennisles* badminton* racket rackets bespann* padel* padelbaan* squash* tafeltennis* baanreserver* knltb pingpong gravel gravelbaan* tennispark dubbelspel* pickleball',
  athletics:
    'hardlo* hardlopen loopwedstrijd* wedloop marathon* halvemarathon triatlon* triathlon* duatlon* startnummer* startbewij* atletiek* atletiekbaan* loopclub* loopgroep* trailrun* runner* running avondvierdaagse',
  climbing:
    'klimmen klim klimhal* klimles* klimwand* klimzaal* klimcentrum boulder* boulderen bergsport* bergbeklim* berghut* alpine alpien* wandelclub* nkbv klimgordel* klimtouw* bergwandel* hut',
  skiing:
    'ski skien skipas* skiles* skihuur* skivakantie* skireis* skigebied* wintersport* snowboard* snowboarden piste pistes sneeuw skischool* skipiste* skilift* langlauf* indoorski*',
  scouts:
    'scout scouts scouting* scoutsgroep padvind* welpen kabouters chiro* chirokamp ksa klj jeugdbeweging* jeugdgroep* jeugdhuis* gidsen akela bever bevers jeugdwerk* kapoenen',
  instrument:
    'instrument* instrumenten instrumenthuur* instrumentverhuur* pianostem* stemmer pianostemmer* vioolbouw* vleugel piano* viool violen gitaar* cello trompet* saxofoon* klarinet* hobo* accordeon* muziekwinkel*',
  childSeat:
    'kinderzitje* autostoel* autostoeltje* autozitje* kinderwagen* buggy* wandelwagen* maxicosi wieg wiegje kinderstoel* kinderbed* ledikant* isofix zitverhoger* fietszitje* babyuitzet* babypark* prenatal baby',
  toys: 'speelgoed* lego playmobil puzzel* pop poppen poppenhui* knuffel* bordspel* gezelschapsspel* spel spellen spelletje* intertoys speelotheek* spelotheek* gamewinkel nintendo treinbaan* duplo',
  baptism:
    'doop doopsel* doopviering* doopdienst* dopen communie* eerstecommunie* vormsel* vormeling* communicant* belijdenis* kerk kerkdienst* kerkelijk* parochie* pastoor pastoraal* dominee* lentefeest* doopsuiker',
  anniversary:
    'jubileum* jubilea jubilaris* huwelijksjubileum* trouwjubileum gouden zilveren bruiloftsfeest reünie* klasreünie* lustrum* dienstjubileum* huwelijksverjaar* eeuwfeest* familiereünie* familiedag*',
  party:
    'feest feestje* feestjes feesten borrel* gasten gastenlijst* genodigd* tuinfeest* housewarming* avondfeest* verjaardagsfeest* partytent* slingers feestavond* barbecue* nieuwjaarsborrel* feestzaal* feestelijk',
  photographer:
    'fotogra* fotograaf fotografie fotoshoot* fotosessie* fotoreportage* fotoalbum* fotoboek* foto fotos portret* portretfoto* schoolfoto* schoolfotograaf trouwfoto* trouwreportage* afdruk* fotostudio* newbornshoot* beeldbank*',
  caterer:
    'catering* cateraar* traiteur* buffet* buffetten taart taarten bruidstaart* verjaardagstaart* hapje* hapjes drank* barbecue* bbq koudbuffet* borrelplank* gebak foodtruck* banketbakker* patisserie*',
  petFood:
    'dierenvoer* dierenvoeding* hondenvoer* hondenbrok* kattenvoer* kattenbrok* brokken brokjes voer diervoeding* kattenbakvulling* kattengrit* zooplus dierenwinkel* petsplace medpets royalcanin hondensnack* huisdiervoer* natvoer',
  petInsurance:
    'dierenverzekering* huisdierverzekering* huisdier* huisdieren hondenverzekering* kattenverzekering* dierenartskosten* figopet petsecur petplan dierenpolis* hondenbeet* hondenaansprakelijk* dierenziektekosten* dierverzekering*',
  catFlap:
    'kat katten kater katje* poes poezen poesje* kitten* kittens kattenluik* kattenbak* kattendeur* kattenmand krabpaal* chippen gechipt chipnummer* castr* steriliser* gesteriliseerd',
  petSitter:
    'dierenoppas* hondenoppas* kattenoppas* huisdierenoppas* hondenuitlaat* uitlaatservice* dogwalk* hondenwandel* dierenpension* hondenpension* kattenpension* pawshake petsitter* hondenopvang* dierenopvang* hondentrimmer* trimsalon* hondencrèche*',
  membership:
    'lidmaatschap* lid leden lidgeld* lidgelden ledenbijdrage* contributie* verenigingslid* vereniging verenigingen clublid ledenadministratie* ledenpas* lidkaart* aansluiting aangesloten ledenlijst* lidnummer* bondscontributie*',
  generalMeeting:
    'ledenvergadering* alv jaarvergadering* bestuur bestuursverkiezing* bestuurslid* bestuursleden bestuursvergadering* voorzitter* penningmeester* secretaris kascommissie* statutenwijzig* notulen quorum jaarverslag* stemming* kandidaatbestuur*',
  volunteering:
    'vrijwillig* vrijwilliger vrijwilligers vrijwilligerswerk vrijwilligersvergoeding* bardienst* kantinedienst* dienstrooster* rooster roosters brandweer* bardienstrooster* helper helpers klusdag* takenlijst* inzetrooster* hulpdienst* voedselbank* dierenambulance',
  raffle:
    'loterij* loten lot loting tombola* rommelmarkt* vlooienmarkt* bazaar* fancyfair* braderie* buurtfeest* straatfeest* zomerfeest* schoolfeest* rad verloting* kofferbak* bingo garageverkoop* kringloopmarkt*',
  newsletter:
    'nieuwsbrief* nieuwsbrieven mailing* mailings mailcampagne* emailcampagne* mailchimp laposta brevo nieuwsflits* ledenblad* clubblad* redactie* verzendlijst* mailinglijst* abonnees nieuwsbulletin* mailblue campagne*',
  website:
    'website* websites webshop* webpagina* homepage* startpagina* webdesign* webbouw* webdevelop* webontwikkel* webmaster* wordpress* wix squarespace livegang* webteksten webtekst* sitebouw* cms zoekmachine*',
  logo: 'logo logos logoontwerp* huisstijl* ontwerp ontwerpen ontwerper* vormgev* vormgever vormgeving grafisch* etiket* etiketten verpakking* mockup* designbureau* illustrat* beeldmerk* label labels',
  article:
    'artikel artikelen column columns manuscript* drukproef* drukproeven abstract* samenvatting* redactie* redacteur* redactrice* uitgever* tijdschrift* publicatie* kopij auteur* gastblog* hoofdstuk* peerreview*',
  podcast:
    'podcast* interview* geïnterviewd opname opnames opnamestudio* opnamedag* aflevering afleveringen video* videos filmpje* videomontage* studio microfoon* uitzending* radio videograaf audio',
  talk: 'lezing* lezingen voordracht* spreker* sprekers gastspreker* gastcollege* spreektijd* spreekbeurt* presentatie* keynote* toespraak* speech* panelgesprek* paneldiscussie* sprekersvergoeding* inleider* referaat tedx',
  stand:
    'kraam kramen marktkraam* standplaats* standhouder* stand stands beursstand* beurs beurzen vakbeurs* markt markten marktkoopman* marktmeester* exposant* standbouw* kerstmarkt* braderie* jaarmarkt*',
  shop: 'voorraad voorraden voorraadtelling* winkelvoorraad* leverancier* groothandel* kassa* kassasysteem* winkelinrichting* winkelpand* etalage* inventaris* inkoop* inkooporder* pinautomaat* betaalterminal* sumup winkelier* schappen bevoorrading*',
  insuranceWork:
    'bedrijfspensioen* pensioenfonds* beroepsziekte* beroepsongeval* arbeidsongeval* arbeidsongevallen* groepsverzekering* ongevallenverzekering* brancheorganisatie* beroepsvereniging* bedrijfstakpensioen* pfzw abp fedris verzuimverzekering* aanvullendpensioen* wia',
  reference:
    'referentie* referenties referent* aanbeveling* aanbevelingsbrief* referentiebrief* referentiecheck* getuigschrift* werkgeversverklaring* getuigschriften aanbevelen recommandatie* werkgever* arbeidsreferentie*',
  jobApplication:
    'sollicit* sollicitatie sollicitatiegesprek* sollicitatiebrief* sollicitant* vacature* kandidaat kandidaten kennismakingsgesprek* motivatiebrief* curriculum recruit* recruiter indeed jobaanbieding* aanwerving* werving* wervingsbureau* kandidatuur uitzend*',
  employment:
    'arbeidscontract* arbeidsovereenkomst* proeftijd* ontslag* ontslagbrief* opzegtermijn* opzegging* dienstverband* verlofaanvra* verlof vakantiedagen verlofdagen cao indiensttred* werkgever* werknemer* aanstelling* personeelszaken* ouderschapsverlof*',
  visitors:
    'bezoekerspas* bezoekersbadge* bezoeker* bezoekers badge* badges toegangspas* toegangsbadge* toegangskaart* toegangscontrole* parkeerkaart* bezoekersparkeren bezoekersparking* parkeerplaats* receptie portier* receptionist* slagboom*',
  server:
    'server servers backup* serveronderhoud* serverstoring* storing storingen certificaat ssl certificaten update updates serverruimte* datacenter* vps hosting* onderhoudsvenster* reservekopie* netwerkstoring* systeembeheer*',
  projectOffer:
    'mijlpa* mijlpaal* opdrachtbevestig* inkooporder* bestelbon* inkoopnummer* projectvoorstel* projectplan* werkpakket* opdrachtgever* opdrachtnemer* oplevering* deliverable* raamovereenkomst* bestek aanbesteding* projectofferte* deelopdracht*',
  materials:
    'materia* materiaal monster monsters staal stalen proefmonster* laboratorium* lab labbestelling* chemicali* chemie reagens* reagentia pipet* verbruiksartikel* verbruiksmateria* grondstof* staalname* oplosmiddel*',
  audit:
    'audit* auditor* inspectie* inspecteur* controle controles controlebezoek* hygiëne* hygiënecode* nvwa favv haccp keuring* iso arbeidsinspectie* toezichthouder* certificering* kiwa ggd onderwijsinspectie*',
  trademark:
    'handelsmerk* merk merken merkregistratie* merkenbureau* merkrecht* merkdepot* boip euipo octrooi* patent patenten auteursrecht* beeldrecht* copyright licentie* uitvinding* uitvinder* inbreuk* stockfoto*',
  officeSpace:
    'kantoor kantoren kantoorruimte* kantoorpand* kantoorhuur* werkplek werkplekken flexplek* flexwerk* flexbureau* coworking* cowork* bedrijfsverzamel* bureau spaces regus wework vergaderruimte* kantoortuin* kantoorplek*',
  furnitureDelivery:
    'meubel meubels meubel* meubelen meubelwinkel* meubelmontage* montage monteren ikea leenbakker jysk kwantum bouwpakket* zelfbouwpakket* bezorgafspraak* meubellevering* woonwinkel* woonboulevard eetkamer* montageservice*',
  wardrobe:
    'kledingkast* kleerkast* garderobe* garderobekast* inbouwkast* maatkast* schuifkast* schuifdeurkast* kastenwand* kast kasten wandkast* hangkast* pax kastdeur* linnenkast* inloopkast* dressing* kastenmaker* maatwerkkast*',
  mattress:
    'matras matras* lattenbodem* bedbodem* boxspring* topmatras* topper toppers spiraalbodem* hoofdkussen* beddenzaak bedden bed beddenreus swissense auping slaapcomfort slaapcentrum koudschuim* pocketvering',
  vacuum:
    'stofzuig* stofzuiger robotstofzuig* robot robots kruimeldief* roomba irobot dyson miele philips waterkoker* broodrooster* mixer blender* strijkijzer* airfryer* keukenmachine* coolblue huishoudapparat*',
  fridge:
    'koelkast* ijskast* frigo* diepvries* diepvriezer* vriezer* vrieskast* vrieskist* koelvries* koelkastdeur* vriesvak* ontdooi* liebherr witgoed* amerikaanse koelbox* koeling koelcel*',
  camera:
    'camera* cameras fototoestel* fotocamera* spiegelreflex* systeemcamera* canon nikon fujifilm lumix leica drone* drones gopro dji statief* statieven videocamera* telelens* zoomlens*',
  headphones:
    'koptelefoon* hoofdtelefoon* oortje* oortjes oordop* headset* luidspreker* speaker speakers geluidsbox* soundbar* oplader* laadkabel* kabel kabels snoer airpods bose sonos jbl',
  watch:
    'horloge* horloges horlogemaker* uurwerk* polshorloge* klok juwel* sieraad sieraden goudsmid* edelsmid* ring ringen ketting kettingen armband* oorbel* gravure* graver* trouwring*',
  shoes:
    'schoen schoenen schoen* schoenwinkel* schoenmaker* laars laarzen laarsjes regenlaarzen sneakers sandaal sandalen pumps hakken zolen verzol* wandelschoen* pantoffel* vanharen veters',
  coat: 'jas jassen winterjas* regenjas* jasje* mantel maatpak* colbert* kostuum* jurk jurken stomerij* stomen droogkuis* nieuwkuis kleermaker* blazer trouwpak* mantelpak*',
  sportsGear:
    'ski skis sportspullen* sportuitrusting* sportartikel* sportwinkel* decathlon intersport wetsuit* tent tenten slaapzak* rugzak* surfplank* surfpak* schaats* bever kajak* hockeystick* buitensport*',
  mealKit:
    'maaltijdbox* maaltijdpakket* groentebox* groentepakket* groenteabonnement* hellofresh marleyspoon ekomenu receptenbox* verspakket* versbox* fruitbox* melkboer* zuivel* hofwinkel* boerenmarkt* boerderij* oogstaandeel* streekproduct* kookbox*',
  wine: 'wijn wijnen wijn* wijnhandel* wijnkoper* wijnproeverij* proeverij* bier bieren brouwer* brouwerij* bierproeverij* slijter* slijterij* champagne* wijnboer* fles flessen gall whisky*',
  secondHand:
    'tweedehands* marktplaats tweedehand vinted 2dehands kringloop* kringloopwinkel* koper kopers verkoper* advertentie* advertenties bieding biedingen vraagprijs* ebay refurbished occasion occasions zoekertje*',
  returnParcel:
    'retour retour* retourneren retourzending* retourlabel* retourpakket* retourformulier* retourtermijn* terugsturen teruggestuurd terugzenden terugzending* verzendlabel* ruilen omruilen herroepingsrecht* bedenktijd* afhaalpunt* pakketpunt* postnl',
  spareParts:
    'onderdeel onderdelen reserveonderdeel* reserveonderdelen wisselstuk* wisselstukken cartridge* inktpatroon* inktpatronen inkt toner* filter filters batterij* accu accus vervangonderdeel* stofzuigerzak* knoopcel* onderdelenshop',
  ticket:
    'ticket tickets toegangsbewij* toegangskaart* kaartje kaartjes kaarten kaartverkoop* ticketverkoop* ticketmaster ticketswap seizoenkaart* seizoenskaart* abonnementhouder* kassa zitplaats* eticket* entreebewij* entreekaart* toegangsticket*',
  cinema:
    'bioscoop* bioscopen filmhui* film films filmvoorstelling* filmavond* pathé kinepolis vue cinema cinemas cineville filmticket* filmtheater* imax filmladder popcorn filmzaal* voorfilm*',
  audiobook:
    'luisterboek* ebook* ebooks ereader* kobo kindle storytel nextory bookbeat audible epub ingesproken digitaalboek tolino elektronische boek luisteren podimo voorleesboek*',
  cloud:
    'cloud cloudopslag* icloud dropbox onedrive googledrive gdrive drive nextcloud pcloud stack opslaglimiet* opslagruimte* gigabyte* terabyte* synchronis* wetransfer fotoopslag* googlefotos fotobackup*',
  vpn: 'vpn nordvpn protonvpn proton expressvpn surfshark wachtwoord* wachtwoordbeheer* virusscanner* antivirus* bitdefender norton kaspersky mcafee eset bitwarden 1password dashlane firewall* malware*',
  dating:
    'duolingo babbel busuu mondly tinder bumble parship lexa relatieplanet datingapp* apps taalapp* leerapp* gamepass xbox playstation nintendo steam strava headspace',
};
