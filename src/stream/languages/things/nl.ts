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
    'verwarming* ketel* cv cvketel* radiator* thermostaat* warmtepomp* geiser stookolie* vloerverwarming* stadsverwarming* stadswarmte branderonderhoud boiler* stookkosten',
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
  television: 'televisie* tv kijkgeld* schotel* decoder* kabeltelevisie* digitenne beeldbuis kabelabonnement',
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
  carInsurance: 'autoverzekering* casco allrisk* schadevrije omnium* autopolis* bonus-malus',
  carTax:
    'wegenbelasting* motorrijtuigenbelasting* mrb verkeersbelasting* inverkeerstelling* biv wegenvignet kentekenbelasting',
  drivingLicence: 'rijbewij* rijles* rijschool* rijexamen* cbr autorijles rijinstruct* rijvaardigheid* theorieexamen',
  fine: 'boete* bekeuring* cjib verkeersboete* snelheidsovertreding* flitspaal* parkeerboete* geflitst naheffing* pv retributie*',
  bicycle:
    'fiets* rijwiel* ebike* bakfiets* swapfiets* racefiets* tweewieler* kinderfiets* pedaal mountainbike* leasefiets*',
  breakdown: 'pechhulp* anwb wegenwacht* takelwagen* takeldienst* sleepdienst* vab autopech sleepwagen weghulp*',
  parking:
    'parkeer* parkeren bewonersvergunning* bewonerskaart* garagebox* luchthavenparkeren staanplaats* bezoekersvergunning*',
  train:
    'trein* ns stations nmbs eurostar thalys sprinter intercity* perron* voordeelurenabonnement* spoor spoorweg* spoorkaart*',
  flight:
    'vlucht vluchten vliegtuig* luchthaven* klm instapkaart* vliegreis* schiphol vliegticket* transavia boarding* vliegveld* luchtvaart* handbagage* terugvlucht* heenvlucht* inchecken vliegen zaventem',
  bus: 'bus bussen tram trams ovchipkaart* lijnbus* delijn busabonnement* reisabonnement* buskaart* tramkaart* flixbus ov busrit* gvb mivb streekvervoer leerlingenvervoer metro metrokaart* metrostation*',
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
  benefit: 'uitkering* uwv bijstand* ww werkloos* toeslag* huurtoeslag rva leefloon* wajong ocmw vdab participatiewet',
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
    'gastouder* onthaalouder* babysit* onthaalmoeder* kinderoppas* nanny au-pair aupair oppas oppassen oppasser* oppasouder*',
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
  laptop: 'laptop* computer* notebook* macbook* pc thinkpad beeldscherm* werkstation* chromebook* schootcomputer',
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
};
