import type { Things } from './things.ts';

/** Everyday things in English. */
export const THINGS_EN: Things = {
  dentist:
    'dentist* dental tooth teeth toothache hygienist* filling fillings orthodont* braces molar molars denture dentures periodont* endodont* prophylaxis retainer',
  doctor:
    'doctor doctors physician* checkup checkups paediatric* pediatric* dermatolog* gynaecolog* gynecolog* cardiolog* urolog* internist orthopaedic* orthopedic* clinician smear mammogram',
  eyes: 'optician* optometr* ophthalm* oculist* eye eyes eyesight eyewear glasses spectacles varifocal* bifocal* eyecare lenses retina* glaucoma cataract*',
  vaccination: 'vaccin* jab jabs booster boosters immunis* immuniz* tetanus measles mmr flu inoculat*',
  prescription:
    'prescription* pharmac* medication* medicine medicines tablets pills chemist dispens* antibiotic* inhaler drugstore refill dosage',
  physio: 'physio physios physiotherap* massage* osteopath* chiropract* kinesio* rehab masseu*',
  hospital:
    'hospital* clinic clinics inpatient outpatient* anaesthe* anesthe* surgeon* radiolog* mri endoscop* colonoscop*',
  bloodTest: 'blood phlebotom* cholesterol laboratory haemoglobin hemoglobin biomarker* thyroid ferritin',
  healthInsurance: 'healthcare nhs medicare medicaid bupa copay copayment ehic ghic healthplan',
  electricity: 'electric electricity electrical electrician* kwh kilowatt* rewiring fusebox wiring',
  gas: 'gas cubic calor lpg propane butane methane gasworks',
  water: 'water sewage sewer sewerage wastewater waterworks stopcock',
  heating: 'heating radiator* thermostat* furnace heater heaters hvac combi underfloor boiler boilers',
  chimney: 'chimney* sweep sweeps flue flues fireplace stove stoves woodburn* soot',
  plumbing:
    'tap taps faucet* leak leaks leaking leaky dripping pipe pipes pipework drain drains cistern washbasin plumber* plumbing shower toilet',
  roof: 'roof roofs roofer* roofing gutter* downpipe* downspout* shingles thatch*',
  window: 'window windows glazier* glazing pane panes shutter shutters blinds awning* skylight* velux',
  lock: 'locksmith* lock locks keys keyring padlock* deadbolt*',
  garden:
    'lawn* tree trees pruning prune mow mower mowing arborist* landscap* greenhouse compost seedling* bulbs garden gardens gardener* gardening hedge hedges hedging shrub shrubs',
  waste: 'waste refuse rubbish garbage trash bins bulky recycl* landfill wheelie dustbin*',
  cleaning: 'cleaner cleaners cleaning cleaned housekeep* janitor* housemaid hoover vacuuming mopping charlady',
  painting: 'painter* painting paint repaint* decorator* wallpaper* emulsion undercoat primer redecorat*',
  kitchen:
    'kitchen* fridge* refrigerator* freezer* oven ovens hob hobs cooker* worktop* microwave* stovetop cooktop countertop* appliance*',
  washing: 'washer washers laundry dryer dryers tumble launder* washerdryer washing',
  dishwasher: 'dishwasher* dishes dishwashing crockery cutlery tableware',
  sofa: 'sofa* couch* settee* armchair* recliner* loveseat upholster* footstool',
  shelf: 'shelf shelves shelving bookcase* bookshel* wardrobe* cupboard* sideboard* dresser closet* drawers cabinet*',
  bed: 'bed beds mattress* bedstead* bedframe* headboard* duvet* bunk boxspring slatted divan',
  table: 'table tables desk desks tabletop* chair chairs',
  lamp: 'lamp lamps lightbulb* bulb lighting chandelier* lampshade* luminaire* floorlamp',
  internet: 'broadband internet fibre fiber router* wifi dsl adsl vdsl modem* ethernet isp mbps gigabit',
  mobile: 'mobile sim esim roaming cellular lte prepaid payg',
  television: 'television* tvs telly broadcasting satellite aerial decoder freeview',
  alarm: 'burglar* smoke intruder* cctv siren* intercom alarm alarms doorbell detector detectors',
  rent: 'rent rents rental tenancy landlord letting lettings arrears',
  serviceCharges: 'ancillary apportionment',
  deposit: 'deposit deposits escrow tds dilapidation*',
  landlord: 'landlord* landlady tenan* lease leases lessor* lessee* letting lettings sublet*',
  mortgage: 'mortgage* remortgag* homeloan lender* refinanc* conveyanc* amortis* amortiz*',
  propertyTax: 'rateable ratepayer* cadastral ratable',
  ownersMeeting: 'owners homeowner* condominium* condo hoa leasehold* freehold* strata commonhold residents',
  handover: 'handover* inventory walkthrough keys vacate vacating',
  moving: 'removal removals mover movers moving relocat* cartons',
  meter: 'meter meters metering submeter*',
  car: 'car cars vehicle vehicles automobile* motorist* motoring vehicular',
  carService:
    'garage mechanic* servicing brakes clutch exhaust dealership bodyshop bodywork workshop windscreen gearbox',
  carInspection: 'roadworth* inspection inspections emissions dvsa',
  tyres: 'tyre tyres tire tires wheel wheels tread rims puncture*',
  carInsurance: 'insurer noclaims windscreen telematics collision motorist',
  carTax: 'excise ved dvla sorn roadtax duty dmv',
  drivingLicence: 'driving licence license dvla learner photocard',
  fine: 'fine fines penalty penalties speeding pcn ulez',
  bicycle: 'bicycle* bike bikes ebike ebikes cycling cyclist* pedal pedals derailleur cargobike',
  breakdown: 'breakdown breakdowns roadside towing tow towed towtruck rac',
  parking: 'parking carpark* valet multistorey garage',
  train: 'train trains rail railway* railcard* railroad locomotive eurostar interrail lner gwr amtrak',
  flight:
    'flight flights flying airline* airport* boarding aeroplane* airplane* airways layover stopover ryanair easyjet lufthansa',
  bus: 'bus buses coach coaches tram trams tube underground subway oyster metro busfare',
  ferry: 'ferry ferries sailing sailings cruise* embark* vessel',
  hotel: 'hotel* hostel* guesthouse* motel* bnb',
  holidayFlat: 'cottage* airbnb vrbo villa chalet* gite',
  carHire: 'hertz avis europcar sixt rentacar rental hire alamo',
  travelInsurance: 'repatriation curtailment travel traveller',
  visa: 'visa visas esta etias embassy consulate* immigration',
  passport: 'passport passports identity hmpo photocard biometric',
  tax: 'tax taxes taxation taxable duty levy levies hmrc irs taxman',
  taxReturn: 'accountant accountants hmrc utr p60',
  vat: 'vat mtd vatreturn vatable',
  salary: 'salary salaries payslip* paycheck* paycheque* payroll wage wages p60 p45 payday remuneration paystub*',
  pension: 'pension* retire retirement sipp annuit* superannuation retiree*',
  bankCard: 'debit maestro bankcard* girocard contactless pin cashpoint atm',
  bankAccount: 'iban overdraft* overdrawn banking giro bic',
  loan: 'loan* instalment* installment* borrower* borrowing repayment* creditor* lender* borrowed',
  creditCard: 'mastercard amex barclaycard cardholder* diners mastercards',
  insurance: 'insurance* insurer* insured insure policyholder* underwrit* premiums',
  liability: 'liability indemnity tort liabilities negligence indemnify',
  household: 'household burglary homeowner* housebreaking theft',
  legalInsurance: 'litigation arbitration dispute disputes arag',
  lifeInsurance: 'assurance endowment annuity beneficiary beneficiaries bereavement',
  claim: 'claim claims claimant* damage damages damaged adjuster* accident',
  court:
    'court courts tribunal* judge judgment judgement magistrate* summons jury subpoena* plaintiff lawsuit defendant',
  lawyer: 'lawyer* solicitor* attorney* barrister* paralegal* llp',
  notary: 'notary notaries notaris* notariz* notarial deed deeds apostille*',
  inheritance: 'inherit* probate estate heir heirs heiress bequest* bequeath* executor* testament testator intestate',
  residence: 'residence residency residents resident domicile* deregist*',
  certificate: 'certificate* apostille* dbs',
  vote: 'vote votes voting voter* ballot* election* poll polls polling referendum* constituency',
  benefit: 'benefit benefits jobseeker* unemployment welfare jobcentre dwp unemployed',
  childBenefit: 'parental maternity paternity',
  school:
    'school schools teacher* classroom* headteacher* headmaster homework schoolbook* curriculum timetable enroll* pupil pupils enrolment schoolchild* schoolwork',
  nursery: 'nursery nurseries kindergarten* preschool* daycare crèche playgroup toddler*',
  trip: 'trip trips outing outings excursion* fieldtrip* hike hiking',
  permission: 'permission consent authoris* authoriz*',
  parentsEvening: 'parents pta parentmail',
  canteen: 'canteen* cafeteria* parentpay refectory',
  music: 'music piano violin guitar cello flute clarinet trumpet saxophone recital recitals',
  swimming: 'swim swims swimming swimmer* pool lifeguard* breaststroke aquatic* seahorse',
  exam: 'exam exams examin* gcse gcses invigilat* resit resits toefl ielts',
  university:
    'universit* uni campus thesis theses dissertation* semester* tuition lecturer* lecture lectures undergraduate* postgraduate* ucas phd',
  childminder: 'childmind* babysit* nanny nannies childcare',
  birthday: 'birthday* bday cake',
  wedding: 'wedding* bride bridal bridesmaid* engagement marriage honeymoon* rsvp',
  funeral:
    'funeral* burial* cremat* undertaker* grave graves gravestone* headstone* cemeter* coffin condolence* mortuary',
  vet: 'vet vets veterinar* neuter* spay* deworm* worming rabies microchip*',
  kennel: 'kennel* cattery catteries petsit* dogsitter*',
  dogTax: 'dog dogs puppy puppies canine leash dogtag',
  football: 'football* soccer rugby goalkeeper* fixture* kickoff midfield striker handball hockey tournament',
  gym: 'gym gyms fitness workout* puregym crossfit treadmill* dumbbell*',
  yoga: 'yoga pilates meditat* vinyasa asana* hatha mindfulness yogi ashtanga',
  choir: 'choir* choral chorus singing singer* soprano altos tenors chorister* cantata carols',
  library: 'librar* loaned bookmobile',
  theatre: 'theatre* theater* ballet* matinee* matinée performance* pantomime panto opera operas operetta',
  concert: 'concert* gig gigs festival* orchestra* symphon* philharmon* ticketmaster livenation',
  museum: 'museum* exhibition* gallery galleries exhibit exhibits curator* vernissage biennale',
  restaurant:
    'restaurant* bistro* brasserie* dinner dine diner dining trattoria pizzeria opentable eatery brunch supper',
  newspaper: 'newspaper* magazine* gazette* newsstand',
  streaming: 'streaming netflix spotify disney hulu audible primevideo dazn deezer',
  software: 'software saas adobe microsoft antivirus jetbrains',
  domain: 'domain domains hosting webhost* dns webspace nameserver* website websites ssl tls',
  conference: 'conference* congress* symposium* expo convention* keynote* exhibitor* summit delegates',
  course:
    'course courses workshop* training trainings seminar* tutorial* lesson lessons webinar* bootcamp* tutor tutors',
  contract: 'contract contracts agreement* countersign* docusign signatory signature signatures clause* addendum nda',
  quote: 'quote quotes quotation* estimate estimates tender tenders costing costings',
  translation: 'translat* interpret interpreter* interpreting proofread* localis* localiz* bilingual',
  meeting: 'meeting meetings agenda agendas minutes standup kickoff attendee*',
  presentation: 'presentation* slides slide deck decks powerpoint keynote* ppt pptx handout*',
  expenses: 'expense expenses reimburs* receipts mileage expensify',
  timesheet: 'timesheet* timecard* clocking overtime timekeeping billable',
  laptop: 'laptop* notebook macbook* thinkpad* computer* chromebook* ssd',
  eventHall: 'venue venues hall halls ballroom* banquet* auditorium clubhouse',
  printing:
    'print printing prints printer* printed flyer* flier fliers leaflet* brochure* letterhead* stationery poster posters',
  parcel: 'parcel* shipment* courier* dhl ups fedex hermes evri dpd',
  clothes:
    'clothes clothing shoe shoes boots trainers sneakers jacket jackets coat coats dress dresses trousers jeans shirt shirts tailor* alteration* cobbler*',
  phone: 'phone phones smartphone* iphone* tablet ipad* handset*',
  book: 'bookshop* bookstore* bookseller* paperback* hardback* hardcover* novel novels isbn waterstones',
  coffee: 'coffee* espresso* cappuccino* barista* delonghi nespresso grinder descal* portafilter arabica',
  gift: 'gift gifts voucher* giftcard* souvenir*',
  flowers: 'flower flowers florist* bouquet* tulips peonies wreath* orchid* interflora',
  food: 'grocer* supermarket* takeaway* takeout deliveroo ocado tesco sainsbury* food vegetable* butcher* bakery caterer* catering',
  christmasTree: 'christmas xmas nordmann spruce baubles conifer*',
  hearing:
    'hearing audiolog* earwax otolog* cochlear earmould* ear ears audiogram* tinnitus deaf* specsavers microsuction hearingcare hearingaid*',
  allergy:
    'allerg* asthma* hayfever pollen antihistamine* desensiti* immunotherap* inhaler* epipen* anaphyla* intoleran* histamine spirometr* peakflow patch eczema wheeze',
  heart:
    'heart cardio cardiolog* cardiac ecg ekg echocardiogra* hypertens* systolic pacemaker* arrhythm* statin statins holter palpitation* angiogra* coronary defibrillator* bloodpressure',
  skin: 'skin skincare mole moles dermatolog* dermatosc* dermoscop* lesion* melanoma* eczema psoriasis acne biops* rash wart warts verruca* naevus mohs',
  xray: 'xray xrays mri radiolog* radiograph* ultrasound* sonogra* mammogra* tomogra* imaging scan scans bonescan densitometr* dexa ray rays fluoroscop*',
  operation:
    'operation surger* surgeon* surgical anaesthe* anesthe* preoperative preop postop fasting stitches sutures arthroscop* hernia keyhole',
  cataract:
    'cataract* intraocular iol eyesight ophthalm* lasik phaco* cornea* retina* macula* lens lenses laser eyedrops',
  pregnancy:
    'pregnan* antenatal prenatal postnatal obstetric* maternity birth birthing newborn* trimester doula hypnobirth* breastfeed* midwife* midwives',
  therapy:
    'therap* psychotherap* psycholog* psychiatr* counsel* cbt talking* occupational logoped* stammer* anxiety depression burnout',
  insoles:
    'orthotic* orthos* podiatr* chiropod* brace prosthe* orthopaedic* orthopedic* footbed* gait feet compression stockings splint splints insole insoles',
  careHome:
    'carehome* residential nursing dementia retirement sheltered hospice* respite eldercare elderly resident residents almshouse*',
  carer:
    'carer carers caregiver* caregiving homecare homehelp domiciliary attendance allowance homeinstead careline eldercare',
  sickNote: 'sick sickness sicknote fitnote unfit illness ssp absence absent ill incapacity sicknotes certified',
  cure: 'spa spas rehab rehabilitat* sanatori* convalesc* thermal hydrotherap* cure recuperat* balneo* mud',
  hair: 'hair haircut* hairdress* hairstyl* barber* salon salons trim highlights blowdry balayage stylist* perm fringe colourist* hairdo beard',
  nutrition: 'nutrition* dietic* dietit* dietary diet diets weight bmi calorie* slimming slimmingworld weightwatchers',
  firstAid: 'firstaid* aid aider aiders cpr resuscitat* defibrillator* aed redcross ambulance efaw lifesav*',
  wheelchair:
    'wheelchair* rollator* stairlift* walker walkers mobility scooter crutch* commode handrail* stannah hoist disabled bathlift*',
  boilerService:
    'boiler* heatpump* worcester vaillant viessmann gassafe combi heating burner heater* plumber* baxi cp12 servicing',
  solar: 'solar photovoltaic* inverter* wallbox* panels powerwall kwp solaredge battery renewable* array',
  insulation:
    'insulat* cladding facade* render rendering scaffold* plaster plasterer* plastering cavity thermal lagging drywall rockwool draughtproof* stucco',
  floor:
    'floor flooring floorboard* parquet laminate tile tiles tiled tiler tiling carpet* lino linoleum grout screed hardwood',
  bathroom:
    'bathroom* shower* bath baths bathtub* basin basins washbasin* toilet* loo lavatory wetroom* ensuite cistern tiling tiler sanitary vanity',
  door: 'door doors doorbell* doorway* doorstep intercom hinge hinges garagedoor* gate gates doorframe* entryphone* porch letterbox hormann',
  fence:
    'fence fences fencing fencer trellis palisade* railings gatepost* fencepost* boundary gate gates picket creosote hedge hedging retaining walling',
  shed: 'shed sheds hut huts greenhouse* carport* allotment* summerhouse* outbuilding* gazebo pergola* playhouse logcabin conservatory polytunnel*',
  pests:
    'pest pests hornet* rodent* woodworm exterminat* rentokil infestation* bedbug* cockroach* termite* fumigat* pestcontrol wasp wasps mice mouse rats ants moths',
  mould:
    'mould mouldy mold moldy damp dampness dehumidif* condensation humidity waterproofing leak leaks mildew spores moisture waterdamage',
  lift: 'lift lifts elevator* escalator* otis schindler kone thyssenkrupp loler dumbwaiter hoist shaft',
  buildingPermit:
    'planning permit permits architect* zoning permission blueprint* drawings building* planner* elevations dormer',
  survey:
    'survey surveys surveyor* surveying rics epc valuation* valuer apprais* boundary cadastr* topograph* homebuyer* inspector',
  housePurchase:
    'conveyanc* completion estateagent* realtor* vendor rightmove zoopla homebuyer* property properties buyer seller',
  houseViewing:
    'viewing viewings openhouse letting lettings apartment* rightmove zoopla estateagent* realtor* walkthrough bedroom* property flats',
  subtenant:
    'flatmate* housemate* roommate* lodger* subtenan* sublet* spareroom flatshare* houseshare* roomshare boarder rooms',
  storage:
    'storage selfstorage locker lockers storeroom* cellar cellars basement* bigyellow shurgard safestore warehous* lockup padlock',
  firewood:
    'firewood logs kindling pellet pellets kiln woodfuel briquette* kerosene litres woodpile coal biomass stacked tanker hardwood seasoned heatingoil cordwood',
  tools:
    'tool tools drill drills toolbox* ladder* chainsaw* sander* jigsaw screwdriver* makita dewalt hss excavator* toolhire planthire hammer',
  curtains:
    'curtain* blinds drapes drapery cushion* upholster* sewing seamstress* fabric fabrics haberdash* textile* valance',
  plants:
    'plant plants seed seeds seedling* soil compost raised bulbs perennial* houseplant* tomato* mulch gardencentre herbs fertilis* fertiliz*',
  airConditioning:
    'aircon airconditioning conditioning conditioner* ventilat* hvac extractor cookerhood hood daikin ducting refrigerant* airflow filter filters cooling mvhr fgas',
  fireSafety:
    'extinguisher* fire fireproof* firesafety smoke sprinkler* evacuat* detector* alarms chubb fireblanket* firedoor* marshal hydrant*',
  windscreen:
    'windscreen* windshield* autoglass* autoglas carglass safelite glass resin chip chipped crack cracked glazing wiper wipers glassgo adas calibration',
  carPurchase:
    'dealer dealership* dealers v5c plate plates numberplate* autotrader webuyanycar testdrive mileage motors preowned dvla showroom partexchange',
  carLease:
    'lease leased leasing leasehire lessee pcp arval leaseplan contracthire mileage handback lessor salarysacrifice',
  motorbike:
    'motorbike* motorcycl* moped* scooter* vespa yamaha ducati triumph kawasaki cbt helmet harley biker bikers sidecar',
  camper:
    'camper campers campervan* motorhome* caravan* pitch camping campsite* campground* hookup awning* touring glamping',
  boat: 'boat boats boatyard* sail sailing sails yacht* mooring* berth berths skipper* antifoul* harbour narrowboat* outboard regatta marina marinas',
  toll: 'toll tolls tollway* vignette* ezpass congestion ulez emissions emission sticker stickers dartcharge motorway* crit lowemission',
  oilChange:
    'oil lube lubricant* brake brakes battery batteries mechanic* kwikfit halfords muffler sump cambelt exhaust exhausts engine clutch',
  charging:
    'charging charger chargers chargepoint* wallbox* kwh kilowatt* evs podpoint ionity chargeplace rfid plugin electricvehicle zapmap tethered homecharge*',
  seat: 'seat seats seating seatmap aisle legroom upgrade* cabin baggage boarding row extralegroom exitrow',
  luggage:
    'luggage suitcase* baggage bag bags lost samsonite rucksack* backpack* carousel trolley lostproperty lostfound holdall mislaid belongings',
  refundTravel:
    'compensat* delayed delay delays eu261 ec261 delayrepay refund* airhelp reimburs* disrupt* rerout* stranded cancelled cancellation',
  stay: 'nights overnight room rooms checkin checkout breakfast guest guests hotel* accommodation lodging bnb guesthouse* inn hostel*',
  tour: 'tour tours guided guide sightseeing excursion* skipass skihire itinerar* getyourguide viator safari daytrip* sights',
  taxi: 'taxi taxis cab cabs cabbie minicab* transfer transfers chauffeur* airporttransfer* rideshar* carpool* blablacar limo limousine* freenow shuttle shuttles',
  invoice: 'invoice* invoicing bill bills billed billing payable remittance receipt receipts proforma inv',
  reminderFee:
    'reminder dunning overdue arrears debt debts debtor* bailiff* unpaid lowell enforcement intrum delinquen* pastdue reminders',
  standingOrder: 'debit debits mandate* directdebit* sepa recurring gocardless bacs autopay ddi',
  transfer:
    'transfer transferred transfers bacs chaps iban wire wired payee* beneficiary remit* payout* wise swift sortcode',
  investment:
    'isas shares funds stocks portfolio* etf etfs broker* vanguard hargreaves dividend* securities equities trading investing investment investments investor investors',
  savings: 'savings saver* isa nsandi deposits maturity matured fixedterm passbook bonds apy aer isas',
  crypto:
    'crypto* bitcoin* ethereum coinbase binance kraken wallet* blockchain tokens coins ledger btc staking seedphrase bitpanda',
  donation:
    'donat* donor* charit* giftaid fundrais* justgiving oxfam unicef benefact* philanthrop* pledge* foundation nonprofit sponsor sponsors sponsored sponsorship',
  refund:
    'refund* chargeback* creditnote* reimburs* moneyback repaid rebate rebates overpayment* credited returned cashback section75',
  grant:
    'grant grants grantee* funding bursar* scholarship* fellowship* awarded stipend* funder* endowment lottery foundation grantmak* subsidy subsidies subsidis* subsidiz*',
  studentLoan: 'slc student studentloan* studentfinance tuition repayment* fafsa ucas bursar* undergraduate* graduate*',
  businessRegistration:
    'companieshouse incorporat* selfemployed chamber commerce registrar sole trader startup confirmationstatement freelance*',
  bookkeeping:
    'bookkeep* accountan* accounting accounts ledger* xero quickbooks statutory annualaccounts trialbalance reconcil* receipts',
  customs:
    'customs import imports duty duties tariff* hmrc declaration eori clearance cn22 cn23 importer* excise cbp incoterms borderforce commodity',
  powerOfAttorney:
    'attorney* lpa proxy guardian* livingwill directive* donor opg courtofprotection deputy deputyship healthcareproxy advocate',
  powerStatement:
    'nationalinsurance contributions ssn socialsecurity p45 p60 employmenthistory forecast contribution socialinsurance',
  deathCertificate:
    'death deceased died bereave* widow* probate funeral* registrar executor* coroner* tellusonce survivor* dying decease',
  citizenship: 'citizen* naturalis* naturaliz* nationality lifeintheuk oath ceremony ielts uscis ukvi homeoffice',
  workPermit:
    'permit permits visa visas workpermit immigra* residence brp ukvi evisa sponsorship homeoffice greencard uscis righttowork biometric* settled relocation expat expats',
  police:
    'police policeman policewoman constable* thief stolen burgl* crime crimes witness* robbery sheriff detective* constabulary mugging offence*',
  criminalRecord:
    'dbs crb criminal vetting enhanced conduct disclosurescotland backgroundcheck barring fingerprint* goodconduct accessni convictions safeguarding',
  complaint:
    'complain* ombudsman* ombudsperson grievance* dissatisf* resolver citizensadvice consumer* mediation tradingstandards redress unhappy escalate escalated',
  warranty:
    'warranty warranties guarantee* recall recalled recalls defect* faulty replacement serial rma malfunction* domesticandgeneral',
  lostCard:
    'blocked unblock* reissue* pin pins stolen fraud* compromised debit bankcard* frozen freeze cardloss suspicious',
  schoolPlace:
    'admission* catchment enrol enrols enroll enrolled enrolling enrolment* enrollment* primary secondary year7 academy sixthform allocation headteacher* waitinglist 11plus intake',
  schoolReport:
    'reports marks grade grades term transcript* reportcard* attainment pupil pupils gcse alevel headteacher* gradebook',
  schoolBooks:
    'textbook* workbook* stationery pencil* pens notebook* photocop* copies schoolbag* satchel ringbinder* calculator* schoolbook* crayons',
  tutoring:
    'tutor tutors tutoring tutorial* maths math tuition kumon homework coaching catchup phonics algebra numeracy tutee revision explorelearning',
  exchange:
    'exchange erasmus penpal* hostfamily host homestay abroad twinned twinning afs exchangestudent* placement rotary',
  camp: 'camp camps campers daycamp* holidayclub* scout scouts counselor* pgl halfterm sleepaway campfire* playscheme* kingscamps summercamp* haf',
  costume:
    'costume* fancydress nativity carnival halloween dressing shepherd panto* rehears* disguise wig masks worldbookday outfit* tabard',
  prom: 'prom proms leavers ball graduat* gown gowns limo tuxedo yearbook* commencement hoodies cap convocation valedict* corsage',
  judo: 'judo karate taekwondo martial aikido dojo grading gradings belt belts jujitsu jiujitsu kickbox* sensei kung boxing judogi fencing bjj',
  dance:
    'dance dances dancer* dancing ballet* ballerina* recital* salsa tango zumba choreograph* leotard* tutu pointe ballroom hiphop danceschool waltz',
  riding:
    'riding horse horses pony ponies stable stables livery equestrian* equine saddle* farrier* dressage paddock gymkhana rider riders hooves',
  tennis:
    'tennis badminton squash racket* racquet* courts padel doubles lta shuttlecock* wimbledon pickleball restring* restrung tabletennis',
  athletics:
    'marathon* athletic* races racing triathl* parkrun* 10k bib finisher* halfmarathon jogging sprint* duathlon* ultramarathon* ironman runner runners running',
  climbing:
    'climbing climber* boulder* hike hikes hiking hiker* alpin* mountain* belay* harness carabiner* ramblers rambling refuge bothy trek* ferrata',
  skiing:
    'ski skis skiing skier* snowboard* liftpass skipass* slope slopes piste* skischool alpine snow apresski nordic salomon skihire toboggan*',
  scouts:
    'scout scouts scouting brownies cubs beavers rainbows guides girlguiding troop youth jamboree cub campfire* brigade neckerchief youthgroup',
  instrument:
    'instrument* piano pianos tuner tuning violin* guitar* flute luthier* saxophone* woodwind accordion* steinway harp drumkit repad cello cellos',
  childSeat:
    'carseat* pram prams pushchair* stroller* buggy isofix cot cots crib bugaboo highchair* babyseat* maxicosi bassinet babygear',
  toys: 'toy toys lego puzzle* jigsaw* boardgame* doll dolls dollhouse* playmobil teddy teddies games playstation nintendo toyshop plush hamleys barbie ravensburger',
  baptism:
    'baptis* christen* communion confirmand* church* parish* priest* godparent* godmother godfather mitzvah rector diocese firstcommunion vicar vicarage',
  anniversary:
    'anniversar* jubilee golden reunion* classmates alumni alumnae centenary celebrat* ruby milestone reunite*',
  party:
    'party parties celebrat* guests rsvp bash barbecue bbq housewarming getdown disco balloon* festivit* drinks invitation invitations invited',
  photographer:
    'photograph* photo photos photoshoot* portrait* headshot* album albums pictures proofs negatives photobook* shoot prints snapfish retouch*',
  caterer:
    'buffet* canapes menu platter* bartender* drinks fingerfood nibbles sandwich* patisserie* banquet* vegetarian headcount hog caterer caterers catering catered bakery',
  petFood:
    'petfood kibble chow purina zooplus chewy litter dogfood catfood treats petshop petsathome whiskas royalcanin hay',
  petInsurance:
    'pet pets petplan petinsurance dogliability vet vets veterinar* canine dog dogs cat manypets animal* pedigree neutered',
  catFlap:
    'cat cats catflap* kitten* feline microchip* neuter* spay* chipped sureflap petporo tomcat* kitty castrat* flea fleas collar',
  petSitter:
    'petsit* dogsit* catsit* dogwalk* walker walkers sitter rover dogminding petminder pawshake tailster doggy doggie housesit* borrowmydoggy',
  membership: 'member members membership* subs dues treasurer society association renewal enrolment club clubs',
  generalMeeting:
    'agm egm board committee* treasurer* chairman election elections quorum nominat* proxy trustee* secretary auditors annualmeeting',
  volunteering:
    'volunteer* rota rotas roster* shift shifts firebrigade firefighter* foodbank* helper helpers marshal* rnli soupkitchen charity steward* dutyroster redcross lifeboat*',
  raffle:
    'raffle* tombola* fete fetes bazaar* flea jumble bootsale carboot yardsale bake lottery fair auction* rummage fleamarket',
  newsletter:
    'newsletter* mailing mailings mailchimp campaign* mailout* eblast brevo sendgrid bulletin* circular emailing klaviyo editorial openrate*',
  website:
    'website* webpage* homepage* wordpress webdesign* launch relaunch golive cms seo wix squarespace sitemap frontend* webflow',
  logo: 'logo logos design designs designer* branding brand label packaging mockup* mock artwork typograph* rebrand* graphic pantone figma moodboard*',
  article:
    'article articles manuscript* column columns galleys proofs editor editors journal* chapter reviewer* copyedit* author submission* papers',
  podcast:
    'podcast* interview* recording recordings recorded episode* video videos audio microphone* studio youtube mic footage zoomrecording filming vlog',
  talk: 'talks speaker speakers lectures lecturer* keynote* speech speeches panelist* panellist* abstract* podium lectern',
  stand:
    'stands stall stalls booth booths exhibit* fair fairs tradeshow* expo pitch market markets tradefair* stallholder* pavilion messe fairground',
  shop: 'shops shopfit* supplier* wholesale* tills stock stocktak* restock* retail* pos epos merchandise inventory storefront* sumup shopkeeper*',
  insuranceWork:
    'occupational workplace employer* autoenrol* liability accident workerscomp pension* indemnity compensation industrial injury',
  reference: 'references referee* recommend* testimonial* letterofreference endors* vouch commendation',
  jobApplication:
    'applicant* candidate* cvs resume resumes interview* vacanc* recruit* hiring jobs careers career shortlist* headhunt* talent joboffer',
  employment:
    'employment employer employee* probation* resign* redundan* onboarding dismiss* severance payroll staff pto annualleave joiner termination',
  visitors:
    'visitor visitors badge badges keycard* fob fobs swipe reception receptionist* lanyard* gatehouse accesscard* entrance turnstile*',
  server:
    'server servers backup backups outage* downtime uptime ssl tls patch sysadmin* database* firewall* deploy* reboot*',
  projectOffer:
    'sow milestone* deliverable* tender proposal* scope ponumber framework rfp rfq kickoff workpackage* bid acceptance statementofwork',
  materials:
    'materials samples labs laborator* reagent* chemical* chemistry pipette* sigma merck antibod* consumable* solvent* timber lumber cement bricks beaker*',
  audit:
    'audit audits audited auditor* inspect* hygiene haccp ofsted iso compliance cqc checklist* eho findings nonconformit* certification foodhygiene hse corrective',
  trademark:
    'trademark* patent* copyright* ipo epo uspto euipo royalt* licences licensing licenses getty shutterstock infring* wipo invention*',
  officeSpace:
    'offices cowork* wework regus hotdesk* desk desks workspace* officespace openplan flexdesk* tenancy sublease workplace',
  furnitureDelivery:
    'furniture furnish* ikea assembly assemble* flatpack* sofa wayfair dfs chairs pallet couch* bookcase* armchair*',
  wardrobe:
    'wardrobe* closet closets cupboard* pax joiner* sharps slidingdoor* cabinetmak* cabinets carpenter* builtin armoire* dressingroom',
  mattress: 'mattress* bed beds bedbase bedframe* boxspring slatted slats topper divan simba tempur bedding futon bunk',
  vacuum:
    'vacuum* hoover* dyson roomba irobot robot robots miele toaster* kettle* blender* appliance* thermomix airfryer kitchenaid microwave*',
  fridge:
    'fridge* freezer* refrigerat* icebox frost defrost* cooling chiller whitegoods liebherr smeg compressor coolbox thaw thawed',
  camera:
    'camera cameras lens lenses drone drones dji gopro nikon canon leica tripod* dslr mirrorless photo aperture fujifilm shutter',
  headphones:
    'headphone* headset* earbud* airpods earphone* loudspeaker* charger cable cables usb bose sonos adapter* powerbank* soundbar* bluetooth sennheiser hifi',
  watch:
    'watch watches watchmak* ring rings jewel* necklace* bracelet* earring* engrav* goldsmith* strap rolex silver horolog* diamond* omega pendant* brooch',
  shoes:
    'shoe shoes boot boots wellies wellington* sneaker* trainers footwear cobbler* resole* heel heels sandal* clarks slippers birkenstock* shoemak* shoerepair',
  coat: 'coat coats jacket jackets suits dresses dryclean* tailor tailoring seamstress* alteration* blazer* gown parka* trousers garment* cleaners',
  sportsGear:
    'wetsuit* tent tents rucksack* backpack* skis snowboard* decathlon helmet* surfboard* paddle* sportswear trekking racket* camping outdoor outdoors goggles',
  mealKit:
    'hellofresh gousto mealkit* recipes vegbox vegetable* veg milkman milkround milk riverford abelandcole organic csa oddbox mindfulchef farmbox',
  wine: 'wine winer* vineyard* vintage tasting tastings beer brewer* champagne prosecco merlot riesling majestic sommelier* whisky gin distiller* vintner*',
  secondHand:
    'secondhand ebay vinted gumtree marketplace craigslist preloved buyer listing listed thrift pawn depop auction* haggl* preowned classifieds',
  returnParcel:
    'returns returned returning rma returnlabel* label unwanted dropoff sendback collectplus inpost courier*',
  spareParts:
    'spare spares parts cartridge* toner ink filters batteries component* espares gasket* brita hinge sparepart* inkjet knob',
  ticket:
    'ticket tickets ticketing boxoffice seat seats eticket* eventbrite ticketmaster seatplan admission* season seatgeek stubhub venue matinee* row barcode',
  cinema: 'cinema* film movie odeon imax picturehouse popcorn multiplex cineworld premiere* everyman filmfest*',
  audiobook:
    'audiobook* audible ebook* kindle kobo ereader* tolino narrat* listening epub borrowbox libby overdrive scribd reader storytel',
  cloud:
    'cloud icloud dropbox onedrive googleone gigabyte* backup backups photos terabyte* nextcloud googledrive synced quota syncing',
  vpn: 'vpn password* nordvpn 1password lastpass bitwarden antivirus norton mcafee kaspersky expressvpn malware firewall cybersecurity twofactor surfshark virus authenticator*',
  dating:
    'tinder bumble hinge dating duolingo babbel strava headspace xbox gamepass playstation parship freetrial inapp subscription subscriptions',
};
