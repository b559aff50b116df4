import type { Things } from './things.ts';

/** Everyday things in Spanish. */
export const THINGS_ES: Things = {
  dentist:
    'dentista* dental dentales diente* muela* odontólog* ortodonc* higienista* empaste* caries endodoncia* implante* dentadura encía* brackets bucal bucodental',
  doctor:
    'médico médica médicos doctor doctora ambulatorio pediatr* dermatólog* ginecólog* cardiólog* facultativo traumatólog* chequeo* cabecera urólog* mamografía* citología',
  eyes: 'oftalm* oculista* óptica ópticas optometr* óptico gafas lentillas graduación ojo ojos anteojos lentes montura* progresivas',
  vaccination: 'vacuna* gripe tétanos inmuniz* sarampión inyección* pinchazo covid',
  prescription:
    'receta* farmac* medicament* medicina medicinas pastilla* comprimido* boticari* botica antibiótic* jarabe dosis fármaco*',
  physio: 'fisioterap* masaj* osteópata* osteopat* rehabilitación quiropráct* logopeda* fisio fisios',
  hospital:
    'hospital* clínica* quirófano* cirugía* cirujan* anestesi* urgencias radiolog* resonancia* colonoscopia* quirúrgic* radiografía*',
  bloodTest: 'sangre analítica* análisis laboratorio* colesterol ayunas hemograma glucosa tiroides',
  healthInsurance: 'sanitas adeslas sanitaria sanitario asisa muface sergas salud',
  electricity:
    'luz electricidad* eléctric* electricista* kwh endesa iberdrola naturgy comercializadora* kilovatio* enchufe*',
  gas: 'gas butano propano bombona* gasista* naturgy gasnatural nedgia',
  water: 'agua aguas alcantarillado* saneamiento* aqualia potable agbar emasesa depuración',
  heating: 'calefac* caldera* radiador* termo termostato* calentador* quemador* estufa* aerotermia* gasóleo climatiz*',
  chimney: 'chimenea* deshollin* hollín estufa* leña',
  plumbing:
    'fontaner* gotera* gotea tubería* desagüe* desatasc* cisterna* fregadero* lavabo* plomer* cañería* inodoro* váter ducha* atasco* grifo grifos fuga fugas',
  roof: 'tejado* techumbre* canalón* canalones teja tejas cubierta* azotea* bajante*',
  window: 'ventana* persiana* cristaler* toldo* contraventana* estor estores acristal* vidrio vidrios vidriero*',
  lock: 'llave* cerraj* cerradura* cerrojo* candado* bombín* bombillo',
  garden:
    'jardín* jardines jardiner* césped* seto setos árbol* poda podar cortacésped* huerto* arbusto* talar tala vivero* riego',
  waste:
    'basura* residuo* reciclaje* reciclar contenedor* enseres voluminos* trastos escombro* vertedero* chatarra desechos',
  cleaning: 'limpieza* limpiador* limpiar asistenta* fregar limpiacristales aspirador*',
  painting: 'pintar pintura* empapel* brocha fachada* esmalte repintar pintor pintores pintora barniz barnizar',
  kitchen:
    'cocina* nevera* frigorífic* horno* congelador* vitrocerámica* encimera* microondas electrodoméstic* frigo refrigerador* fogón* inducción',
  washing: 'lavadora* secadora* colada lavandería* tintorería* centrifug* tendedero lavarropas',
  dishwasher: 'lavavajillas lavaplatos vajilla abrillantador lavavajilla platos',
  sofa: 'sofá* sillón* sillones butaca* tresillo* diván* tapicer* chaiselongue puf',
  shelf: 'estante* armario* aparador* vestidor* ropero* vitrina* mueble muebles cajonera* cómoda cómodas balda baldas',
  bed: 'cama camas colchón* colchones somier* canapé* edredón* cabecero* almohada* litera literas cuna cunas',
  table: 'mesa mesas escritorio* silla sillas tablero taburete* carpinter* ebanist* mesita*',
  lamp: 'lámpara* bombilla* luminaria* led iluminación* alumbrado flexo flexos plafón',
  internet: 'internet fibra* router* wifi adsl módem* ftth',
  mobile: 'sim esim portabilidad* roaming prepago vodafone yoigo pepephone',
  television: 'tele televis* antena* decodificador* tdt parabólica*',
  alarm: 'alarma* detector* prosegur securitas antirrobo videovigil* intrusi* telefonillo',
  rent: 'alquiler* renta arrendamiento* mensualidad* inquilin* arriendo*',
  serviceCharges: 'suministros repercu* derrama* comunitarios comunidad comunidades',
  deposit: 'fianza* depósito aval avales incasol',
  landlord: 'casero* casera arrendador* arrendatari* inquilin* propietario* arrendamiento* subarr* realquil*',
  mortgage: 'hipoteca* euríbor tasación* subrogación* amortización* inmobiliari* novación',
  propertyTax: 'ibi catastr* inmueble*',
  ownersMeeting: 'propietarios vecinos comunero* derrama* copropietari* condominio*',
  handover: 'inventario* desalojo* llaves desalojar',
  moving: 'mudanza* mudarse mudar guardamuebles furgoneta* portes',
  meter: 'contador* lectura* medidor* telegestión* subcontador*',
  car: 'coche* vehículo* auto autos automóvil* carro',
  carService:
    'mecánico* mecánica embrague* concesionario* chapista* carrocería* midas norauto freno frenos taller talleres correa',
  carInspection: 'itv inspección* veiasa applus vehicular',
  tyres: 'neumático* rueda ruedas llanta* cubiertas pinchazo* alineación* equilibrado',
  carInsurance: 'terceros bonificación* automovilista* franquicia siniestralidad',
  carTax: 'ivtm circulación rodaje tracción matriculación* numerito',
  drivingLicence: 'carné carnet conducir autoescuela* conducción dgt teórico conductor',
  fine: 'multa* sanción* infracción* denuncia* velocidad sancionador* radar radares',
  bicycle: 'bicicleta* bicis ciclista* ciclismo mtb ebike* patinete* pedal* bici',
  breakdown: 'grúa* avería* remolque* remolcar carretera averiad*',
  parking: 'aparcamiento* aparcar parking* estacionamiento* garaje* parquímetro* cochera* vado',
  train: 'trenes renfe ave cercanías ferroviari* ouigo iryo ferrocarril* alvia vagón* avlo tren',
  flight: 'vuelo* avión* aviones aeropuerto* embarque* aerolínea* iberia vueling ryanair equipaje* barajas aéreo* aena',
  bus: 'autobús* autobuses bus autocar* tranvía* metro alsa guagua* emt bonobús* flixbus',
  ferry: 'ferry* ferris barco* crucero* travesía* balearia puerto naviera* trasmediterránea catamarán* buque*',
  hotel: 'hotel* hostal* alojamiento* albergue* pernoct* parador* posada* habitación* habitaciones hospedaje* booking',
  holidayFlat: 'apartamento* airbnb vacacional* rural* chalet* villa bungalow* vacaciones vrbo',
  carHire: 'europcar hertz sixt avis goldcar recordgo',
  travelInsurance: 'repatriación* iati intermundial viaje viajero equipaje',
  visa: 'visado* visa visas extranjería* consulado* embajada*',
  passport: 'pasaporte* dni identidad* cédula*',
  tax: 'impuesto* hacienda aeat tributari* fiscal fiscales tributo* contribuyente* recaudación*',
  taxReturn: 'irpf renta gestoría* borrador autoliquid* asesoría* declarante* gestor',
  vat: 'iva intracomunitari* trimestral* autónomos repercutido soportado',
  salary: 'nómina* sueldo* salario* salarial* retribución* haberes',
  pension: 'pensión* jubila* pensiones pensionista* retiro prejubil*',
  bankCard: 'débito cajero* pin maestro contactless bizum',
  bankAccount: 'bancari* iban banco bancos descubierto domiciliación* caixabank bbva sabadell',
  loan: 'préstamo* crédito créditos prestamista* amortiz* financiación* cofidis prestatario* empréstito*',
  creditCard: 'mastercard amex american revolving diners',
  insurance: 'seguro seguros asegur* póliza* mapfre tomador* axa allianz mutua',
  liability: 'responsabilidad* perjuicio* daños terceros',
  household: 'continente contenido multirriesgo* hogar vivienda viviendas robos',
  legalInsurance: 'jurídic* litigi* arag pleito*',
  lifeInsurance: 'fallecimiento* decesos beneficiario* invalidez* supervivencia incapacidad*',
  claim: 'siniestro* daños peritaje* indemniz* accidente* desperfecto* reclamación* daño perito peritos',
  court:
    'juzgado* tribunal* juez jueza sentencia* citación* judicial* procurador* jurado* magistrad* juicio juicios demanda',
  lawyer: 'abogad* bufete* letrado* letrada procurador* honorarios minuta',
  notary: 'notari* notaría* escritura* compraventa* protocolo fedatario* legaliz*',
  inheritance:
    'herencia* testament* heredero* heredera* sucesion* albacea* heredar plusvalía* difunto* causante legado',
  residence: 'empadron* padrón* domicilio* domiciliado* residencia* censo',
  certificate: 'certificado* partida nacimiento* antecedentes apostilla* compulsa*',
  vote: 'votar voto votos elección* elecciones electoral* papeleta* urnas referéndum* comicios votación* urna',
  benefit: 'paro desempleo* sepe prestación* prestaciones imv inem desempleado* subsidi*',
  childBenefit: 'maternidad* paternidad* lactancia natalidad parental* nacimiento',
  school:
    'escuela* colegio* cole instituto* alumn* profesor* matrícula* escolar* maestr* deberes tutor tutora secundaria primaria boletín boletines ampa',
  nursery: 'guardería* infantil* escoleta* preescolar* parvulari* párvulos',
  trip: 'excursión* excursiones colonias senderismo convivencias acampada*',
  permission: 'autorización* autorizaciones consentimiento* autorizar firmada autorizo',
  parentsEvening: 'padres tutoría* familias madres ampa afa tutores',
  canteen: 'comedor* menú menús almuerzo*',
  music:
    'música* musical* piano* violín* guitarra* conservatorio* solfeo* flauta* instrumento* trompeta* clarinete* violonchelo* batería afinador*',
  swimming: 'natación* piscina* nadar nadador* crol bañador* acuátic* socorrista*',
  exam: 'exámenes examinar* selectividad ebau evau oposición* oposiciones recuperación parcial* evaluación* dele toefl examen',
  university:
    'universi* facultad* tesis tfg tfm máster* semestre* cuatrimestre* doctorado* catedrátic* campus erasmus uned',
  childminder: 'canguro* niñera* babysitter* aupair cuidador*',
  birthday: 'cumpleaños cumpleañer* tarta velas piñata* cumple cumples',
  wedding: 'boda* novia* novios casamiento* matrimonio* banquete* casarse nupcial* esponsales',
  funeral:
    'funeral* entierro* sepelio* funerari* cementerio* tanatorio* velatorio* crematorio* nicho* incinera* lápida* pésame esquela* ataúd*',
  vet: 'veterinari* desparasit* castración* esterilizac* rabia microchip* castrar',
  kennel: 'canin* perrera* felin*',
  dogTax: 'perro* perra cachorro* mascota* perrito perrita canino',
  football:
    'fútbol* partido* entrenador* federativa* baloncesto* balonmano* rugby* torneo* camiseta* estadio* polideportiv* equipo equipos',
  gym: 'gimnasio* gym fitness* musculación* entrenamiento* crossfit* pesas spinning',
  yoga: 'yoga* pilates meditación* mindfulness relajación* hatha vinyasa',
  choir: 'coro coros canto cantar cantante* soprano* orfeón* cantata* coral corales tenor tenores ensayo ensayos',
  library: 'biblioteca* hemeroteca* mediateca* bibliobús préstamos prestado',
  theatre: 'teatro* teatral* ópera* función ballet* zarzuela* espectáculo* comedia* taquilla* musical* escenario*',
  concert: 'concierto* festival* orquesta* sinfón* filarmón* recital* ticketmaster auditorio*',
  museum: 'exposición* exposiciones galería* pinacoteca* guggenheim museo museos',
  restaurant:
    'restaurante* comensal* mesón* marisquería* asador* pizzería* cenar taberna* thefork bistró* cena cenas tasca',
  newspaper: 'periódic* revista* semanario* quiosco* gaceta* diario prensa',
  streaming: 'streaming* netflix spotify disney hbo filmin dazn movistar audible deezer',
  software: 'software* antivirus microsoft adobe ofimática',
  domain: 'dominio* hosting* arsys dns ssl ionos dondominio servidor*',
  conference: 'conferencia* congreso* jornadas simposi* ponencia* ponente* coloquio* expositor* feria ferias',
  course:
    'cursillo* formación* seminario* academia* capacitación* formativ* webinar* mooc curso cursos taller talleres',
  contract: 'contrato* contractual* firma firmar firmado convenio* docusign cláusula* firmante* anexo',
  quote: 'presupuesto* cotización* presupuestar* licitación* proforma* cotizar estimación*',
  translation: 'traduc* intérprete* bilingüe* subtitul* jurado jurada',
  meeting: 'reunión* reuniones videollamada* videoconferencia* reunirse reunirnos acta actas',
  presentation: 'presentación* diapositiva* powerpoint ponencia* slides diapos keynote pitch',
  expenses: 'gastos dietas reembolso* kilometraje* desplazamiento* justificantes viáticos',
  timesheet: 'fichaje* fichar timesheet* cuadrante* fichada',
  laptop: 'portátil* ordenador* macbook* computador* informátic* thinkpad',
  eventHall: 'sala salas aforo recinto* salones paraninfo salón carpa carpas',
  printing:
    'imprenta* impresión* folleto* carteles octavilla* tríptico* díptico* imprimir flyer* papelería* copistería* cartel',
  parcel: 'paquete* envío* mensajer* correos seur repartidor* mrw gls dhl transportista* reparto*',
  clothes:
    'zapato* ropa* zapater* zapatilla* vestido* pantalón* pantalones abrigo* chaqueta* botas modist* sastre* camisa* arreglos zara zalando prenda prendas traje trajes',
  phone: 'móvil* teléfono* smartphone* iphone* celular* ipad* android galaxy tableta tabletas tablet tablets',
  book: 'libro* librer* novela* isbn ejemplar* editorial* encuadern*',
  coffee: 'cafetera* espresso* nespresso delonghi cápsulas descalcific* molinillo* café cafés',
  gift: 'regalo* obsequio* regalar aguinaldo* regalito*',
  flowers: 'flor flores florister* ramo ramos rosas interflora tulipanes orquídea* floral* florista*',
  food: 'supermercado* mercadona alimentos alimentación* carnicer* panader* pescader* fruter* glovo verduras pizza carrefour comida comidas alimento',
  christmasTree: 'navidad* abeto* navideñ* pino belén guirnalda*',
  hearing:
    'audífono* audición auditiv* audiometr* audiolog* audioprotes* otorrino* oído oídos oreja orejas tímpano* cerumen coclear* sordera sonotone* gaes amplifon',
  allergy:
    'alergi* alergólog* asma asmátic* polen gramíneas antihistamínic* inhalador* desensibiliz* inmunoterapia prick espirometr* intolerancia* rinitis ácaros histamina ventolin urticaria neumólog*',
  heart:
    'corazón tensión tensiómetro hipertens* electrocardiograma* ecg ecocardiograma* holter marcapasos arritmia* coronari* estatina* ergometría* infarto* sintrom cardio* cardía*',
  skin: 'piel dermat* lunar lunares melanoma* acné eccema* eczema* psoriasis verruga* crioterapia biopsia* nevus cutáne* sarpullido',
  xray: 'radiografía* radiolog* radiodiagnóstico rayos resonancia* ecograf* tac escáner* tomograf* mamografía* densitometr* contraste ultrasonido* rmn gammagraf*',
  operation:
    'operación operarse quirófano* cirugía* cirujan* quirúrgic* anestesi* preoperatori* postoperatori* hernia* artroscop* ayunas cma sutura*',
  cataract:
    'catarata* cristalino intraocular* oftalm* láser lasik miopía* presbicia córnea retina* glaucoma* mácula facoemulsificación colirio* ocular* baviera',
  pregnancy:
    'embaraz* matrona* comadrona* parto partos prenatal* preparto posparto gestante* gestación ginecólog* obstetr* lactancia maternidad ecograf* doula* partera*',
  therapy:
    'psicólog* psicoterap* psiquiatr* terapia* terapeuta* logoped* ergoterapia ocupacional* ansiedad depresión psique emocional* tartamud* fonoaudiólog*',
  insoles:
    'plantilla* ortopedia* ortopédic* podólog* férula* prótesis órtesis ortesic* protésic* pisada* fascitis juanete* faja muñequera* rodillera* tobillera* callista*',
  careHome:
    'residencia* geriatr* asilo ancianos mayores residente* gerontológic* alzheimer ballesol domusvi orpea amavir cuidados',
  carer:
    'cuidador* dependencia* dependiente* teleasistencia domiciliari* asistenta* asistencial* cuidados auxiliar gerocult* discapacidad imserso grado valoración sociosanitari*',
  sickNote:
    'baja bajas enfermedad* incapacidad* justificante* convalec* enfermo enferma indispuest* reposo absentismo médica enfermar justificar licencia reposos',
  cure: 'balneario* termal* termas spa rehabilitación* convalec* imserso hidroterap* talaso* sanatorio* barros lodos caldas archena curativ*',
  hair: 'peluquer* pelo cabello* barber* mechas tinte tintes flequillo estilista* peinado* peinar barba alisado* balayage melena capilar* hairstyl* rizos',
  nutrition:
    'nutrición* dietista* dieta dietas dietétic* adelgaz* imc báscula calorías obesidad sobrepeso naturhouse endocrino*',
  firstAid:
    'auxilios socorrismo socorrista* reanimación rcp desfibrilador* dea botiquín* emergencias ambulancia* svb samur atragantamiento*',
  wheelchair:
    'andador* muleta* salvaescaleras ortopedia* ruedas discapacid* minusval* movilidad bastón bastones accesib* rampa rampas',
  boilerService:
    'caldera* calefac* calentador* aerotermia* quemador* termo termos junkers vaillant saunier ferroli baxi combustión humos gasista* purgar radiador* climatiz*',
  solar:
    'solar solares placas paneles fotovoltaic* autoconsumo inversor* baterías wallbox kwp excedentes renovable* helio*',
  insulation:
    'aislamiento* aislante* aislar sate fachada* andamio* andamiaje* enlucido* revoco* yeso yesero* enfosc* mortero albañil* pladur impermeabiliz* insuflado corcho',
  floor:
    'suelo suelos parqué parquet parqués tarima* baldosa* azulejo* moqueta* alfombra* solado* laminado* vinílico* rodapié* gres acuchill* barnizado* alicatad* entarimad* pavimento*',
  bathroom:
    'baño baños ducha* bañera* mampara* lavabo* inodoro* váter wáter retrete* sanitarios bidé aseo aseos alicatad* grifería* plomer* fontaner*',
  door: 'puerta* portón portones telefonillo* videoportero* interfono* automatismo* cochera* blindada* acorazada* pomo bisagra* manilla* cerradur* basculante* timbre',
  fence:
    'valla vallas vallado* cercado cercas verja* tapia* cancela* seto setos muro muros malla alambrada* postes cerramiento* lindero* lindes medianer* celosía*',
  shed: 'caseta* cobertizo* cabaña* invernadero* cochera* marquesina* trastero* pérgola* porche huerto* huerta parcela* leñera* galpón cenador* barracón',
  pests:
    'plaga* avispa* avispero* ratón ratones rata ratas carcoma* cucaracha* termita* chinche* hormiga* fumiga* desinsect* desratiz* rentokil polilla* exterminador* insecticida* anticimex',
  mould:
    'moho humedad* hongos filtración* inundación* deshumid* condensación* goteras salitre capilaridad fuga secado anegad* fugas inundad* secar antihumedad* antimoho murprotec',
  lift: 'ascensor* elevador* montacargas otis schindler thyssen thyssenkrupp kone orona zardoya mecánicas montaplatos',
  buildingPermit:
    'arquitect* obra obras urbanismo urbanístic* aparejador* edificación* edificar edificable* delineante* planos construcción constructora* reforma reformas',
  survey:
    'perito peritos pericial* peritaje* topógraf* tasador* tasación* dictamen* deslinde* energétic* catastr* agrimens* tinsa replanteo lindes ite',
  housePurchase:
    'compraventa* inmobiliari* arras escritura* notaría* hipoteca* inmueble* piso pisos vivienda* chalet finca idealista fotocasa promotora* comprador* vendedor* tecnocasa plusvalía* inmo',
  houseViewing:
    'visita visitar piso pisos inmobiliari* idealista fotocasa vivienda* apartamento* inmueble* enseñar habitaclia inquilin*',
  subtenant:
    'subarr* subinquilin* realquil* habitación habitaciones inquilin* huésped* badi coinquilin* roommate roomie piso alquilar',
  storage:
    'trastero* guardamuebles almacén almacenaje* bluespace consigna* taquilla* sótano* minialmacén boxes baulera* almacenar custodia homebox',
  firewood:
    'leña leñas pellet pellets gasóleo* gasoil biomasa estufa* troncos encina palé palés astillas briqueta* chimenea* combustible* leñador*',
  tools:
    'herramienta* taladr* escalera* destornillador* sierra motosierra* martillo* maquinaria ferreter* bricolaje brico bricomart leroy lijadora* amoladora* radial bricodepot makita',
  curtains:
    'cortina* visillo* estor estores cojín cojines tapicer* tapizar tapizad* coser costura* costurer* persiana* tela telas modist* dobladillo* tejido tejidos mercería*',
  plants:
    'planta plantas semilla* plantel* semillero* esqueje* tierra sustrato* maceta* vivero* huerto bancal bancales tomatera* bulbo* jardiner* plantar sembrar siembra fertilizante*',
  airConditioning:
    'aire acondicionado* climatiz* split splits ventilación* ventilador* extractor* campana campanas filtro filtros frigorías daikin fujitsu refriger* clima hvac purificador* condensador*',
  fireSafety:
    'extintor* incendio* contraincendios antiincendios humos detector* bombero* ignífug* evacuación bie pci ripci retimbrado* rociador* fuego simulacro*',
  windscreen:
    'parabrisas luna lunas carglass cristal cristales impacto luneta* resina glass ralsa glassdrive limpiaparabrisas adas vidrio autocristal* desconchón',
  carPurchase:
    'concesionari* matricul* coche* vehículo* compraventa* automóvil* dgt autos seminuev* turismo automoción kilómetros dealer autocasión vender compramostucoche',
  carLease:
    'renting leasing leasys arval alphabet ald ayvens leaseplan kilometraje* flota coche* vehículo* vehicular automovil* arrendamiento',
  motorbike:
    'moto motos motocicl* ciclomotor* scooter* vespa motorista* motero* casco yamaha honda kawasaki ducati vespino motorbike',
  camper:
    'autocaravana* caravana* camper campers camperiz* camping* parcela* furgo furgoneta* campista* pernocta* bungalow* roulotte motorhome autocaravaning',
  boat: 'barco* barca* velero* vela náutic* amarre* atraque* puerto marina embarcación* patrón patrones pnb lancha* yate* zodiac regata* varadero* eslora titulín',
  toll: 'peaje* autopista* viñeta* viat telepeaje distintivo* zbe emisiones ambiental* pegatina* bipdrive abertis autovía* tag',
  oilChange:
    'aceite lubricante* filtro filtros batería* freno frenos escape* silenciador* discos taller talleres mecánic* norauto midas feuvert amortiguador* bujía* anticongelante',
  charging:
    'recarga* cargador* electrolinera* electromovilidad wallbox kwh enchufable* enchufe* zunder wenea endesax charge híbrido* electromaps',
  seat: 'asiento* ventanilla* pasillo butaca* equipaje* maleta* facturad* facturar preferente* upgrade fila embarque*',
  luggage:
    'equipaje* maleta* bulto bultos consigna* extraviad* extravío* perdidos mochila* facturad* pir cabina trolley samsonite valija* baúl',
  refundTravel:
    'indemniz* retraso* cancelación* cancelad* compensación* overbooking reembolso* reintegro* demora* reclamador* airhelp flightright pasajero* aesa puntualidad',
  stay: 'noche noches habitación* pernoct* estancia* alojamiento* alojarse alojar alojad* hosped* desayuno* checkin checkout huésped* hotel* hostal* booking suite',
  tour: 'guiad* excursión* tour tours ruta rutas forfait* esquí* guía guías itinerario* turístic* civitatis getyourguide remonte* recorrido* freetour',
  taxi: 'taxi taxis taxista* cabify uber bolt vtc freenow traslado* transfer transfers lanzadera* shuttle blablacar chófer* radiotaxi carpooling',
  invoice:
    'recibo* minuta* proforma* importe* abonar vencimiento* rectificativa* cobro albarán albaranes factur* cobrar duplicado',
  reminderFee:
    'requerimiento* impago* impagad* moroso* morosidad* asnef deuda* deudor* recobro* vencid* adeud* monitorio* embargo* apremio* intrum cobros recargo*',
  standingOrder: 'domicili* sepa mandato* adeudo* periódica* recibo* cargo iban adeudar cargos girado girar',
  transfer:
    'transferencia* transferir traspaso* girar iban ordenante* beneficiario* bizum ingreso ingresar remesa* abonado swift bic wise giro',
  investment:
    'fondos inversión* inversor* invertir acciones bolsa cartera broker dividendo* etf etfs indexa myinvestor letras tesoro bonos depositari* rentabilidad accionista*',
  savings:
    'ahorro* ahorrar depósito* intereses libreta* cartilla* remunerad* tae imposición hucha* rentabilidad ahorrador* plazos',
  crypto:
    'cripto* bitcoin* ethereum btc eth wallet* monedero* blockchain coinbase binance kraken ledger bit2me exchange usdt',
  donation:
    'donación* donar donativo* donante* ong ongs solidari* caritas fundación unicef mecen* apadrin* patrocin* benéfic* oxfam manosunidas desgrav*',
  refund:
    'reembols* reintegr* devolución* devolver abono abonos rectificativa* retrocesión* contracargo* chargeback paypal devuelto',
  grant:
    'subvención* beca* ayudas convocatoria* concesión* nextgeneration feder mec financiación* bdns subsidio* justificación',
  studentLoan:
    'beca* mec estudiante* estudiantil* matrícula* universitari* erasmus icetex financiación* estudios universidad mefp ayudas créditos',
  businessRegistration:
    'autónom* autoempleo reta mercantil* epígrafe* iae censal sociedad* constitución comercio emprend* empresari* registrador* 036 037 pyme pymes',
  bookkeeping:
    'contab* gestor* balance* cuentas auditor* holded contaplus contasol asesor* anuales fiscalista* fiscales facturación',
  customs:
    'aduan* arancel* importación* dua eori contrabando extracomunitari* taric despacho despachante* importar exportación* correos',
  powerOfAttorney:
    'poderes apoderad* apoderamiento* voluntades anticipadas tutela* curatela* curador* otorg* incapacit* revocación* notari*',
  powerStatement:
    'afiliación* afiliad* laboral* cotiz* naf tgss nuss importass carencia tesorería imss altas imserso empleador* vida',
  deathCertificate:
    'defunción* viudedad* viudo* viuda* fallecim* fallecid* difunt* orfandad* voluntades herencia* óbito* finado* pésame causante* esquela*',
  citizenship:
    'nacionalidad* naturaliz* dele ccse jura cervantes nacionaliz* sefard* ciudadan* juramento* arraigo españolidad',
  workPermit:
    'extranjer* nie tie residencia* inmigra* arraigo* huellas visado* migratori* migraciones empadron* estancia uex autorización',
  police:
    'policía* comisaría* denuncia* robo robos hurto* ladrón ladrones testigo* atestado* guardia mossos ertzaintza sustra* delito* delincuen* robaron',
  criminalRecord:
    'penales antecedentes delitos sexuales penal intachable* delincuencia prontuario* conducta delictiv* delictual* condenas condena',
  complaint:
    'queja* reclama* ocu facua omic consumidor* defensor* arbitr* mediación descontent* insatisf* kontsumobide',
  warranty:
    'garantía* reparación* defectuos* recambio sustitución* sustituir postventa posventa extendida avería* tara taras defectos',
  lostCard:
    'desbloque* pin extravi* robada anulad* anular reposición* duplicad* visa mastercard clonad* caducad* perdida bloquead* bloquear bloqueo cajero clonación',
  schoolPlace:
    'preinscri* matrícula* escolariz* admisión* admitid* plaza* baremo* baremación colegio* instituto* zonificación cupo escuela* inscribir alumn*',
  schoolReport:
    'notas boletín boletines calificación* evaluación* suspens* aprobad* sobresaliente* expediente trimestre* bachillerato diploma* insuficiente* tutor tutora',
  schoolBooks:
    'libros manuales papelería* cuaderno* libreta* fotocopia* estuche* mochila* lápices rotulador* santillana anaya edebé releo útiles bolígrafo*',
  tutoring:
    'refuerzo* repaso* clases mates matemáticas profe profesor* academia* superprof kumon apoyo tutoría* deberes particulares',
  exchange:
    'erasmus acogida* anfitrion* corresponsal* acoger afs inmersión lingüístic* intercambi* bilingüe inmersiones workaway',
  camp: 'campamento* campus colonias casal casals esplai ludoteca* verano acampad* monitor monitores scout* albergue*',
  costume:
    'disfraz* disfraces carnaval* belén función villancico* navideñ* chirigota* comparsa* halloween vestuario* pastor pastorcill* caracteriz* máscara* antifaz',
  prom: 'graduación* graduad* graduarse orla orlas egresad* birrete* bachiller* licenciatura toga gala diploma diplomas',
  judo: 'judo kárate taekwondo aikido marciales kimono* tatami* cinturón cinturones dojo* jiujitsu kickboxing boxeo* sensei* judoka* karateka* esgrima',
  dance:
    'baile* bailar bailarin* danza* ballet flamenco* sevillanas salsa bachata tango coreograf* zumba maillot tutú puntas hiphop',
  riding:
    'equitación* hípic* caballo* ecuestre* poni ponis pony yegua* cuadra* picadero* jinete* amazona* establo* herrador* pupilaje* caballeriza*',
  tennis:
    'tenis pádel bádminton raqueta* pista pistas tenista* frontón pingpong squash encordad* playtomic cancha* pala pelotas palas',
  athletics:
    'carrera* maratón maratones corredor* correr dorsal* triatl* atletismo* atleta* running runner* cronometra* cross trail sansilvestre',
  climbing:
    'rocódromo* montañismo* montañer* senderis* refugio refugios alpinis* fedme excursionis* trekking arnés boulder búlder ferrata* cordada* cumbre pirineos federativa escalad* escalar',
  skiing:
    'esquí* snow snowboard* forfait* nieve baqueira formigal candanchú remonte* telesilla* telecabina* pistas grandvalira nevada invernal* aramon',
  scouts:
    'scout* explorador* lobato* manada guías monitor* esplai* pañoleta* juvenil* juniors rover acampad* tropa campamento* campismo',
  instrument:
    'afinador* afinación* afinar luthier* lutier* piano* violín* violonchelo* guitarra* arco cuerdas instrumento* saxofón* saxo clarinete* trompeta* flauta* chelo* thomann yamaha',
  childSeat:
    'sillita* cochecito* carrito* cuna cunas isofix maxicosi elevador* alzador* capazo* bebé bebés bugaboo trona* moisés minicuna* prenatal retención carricoche*',
  toys: 'juguete* puzzle* puzle* lego muñec* playmobil peluche* ludoteca* rompecabezas toysrus juegos peonza* nancy hotwheels imaginarium',
  baptism:
    'bauti* comunión comuniones parroqui* iglesia* párroco catequesis catequist* padrino* madrina* sacerdote* misa sacramento* cura catecúmen* diócesis',
  anniversary:
    'aniversario* oro plata jubileo* reencuentro* antiguos efeméride* centenari* conmemor* quinquagési* bodas exalumn*',
  party:
    'fiesta* celebra* invitación* invitado* convidad* convite* cotillón guateque* verbena* globos piñata* barbacoa* brindis festej* anfitri* invitar',
  photographer:
    'fotógraf* foto fotos reportaje* álbum* retrato* revelad* fotolibro* hofmann photoshoot instantánea* negativos posar posado cámara fotomatón',
  caterer:
    'catering bufé buffet canapés tarta* pastel* bebidas aperitivo* repostería* paella* cóctel* comensal* menú menús banquete* camarer* hostelería* cubierto*',
  petFood:
    'pienso* tiendanimal kiwoko zooplus mascota* croquetas arena latitas veterinari* golosina* perro* gato* comida alimento* cachorro* nutrición',
  petInsurance:
    'mascota* perro* ppp animal animales veterinari* canin* felin* peligros* razas bocado mordedur* mordisc*',
  catFlap: 'gato* gata gatito* gatera* felin* minino* esteriliz* castra* microchip chip arenero*',
  petSitter:
    'paseador* paseos perro* gudog rover canguro* canin* mascota* cuidador* perrera* petsitter* pasear felin* adiestra*',
  membership:
    'socio* socia* asociación* asociad* afilia* cuota* carné carnet abonad* club peña peñas membresía* miembro* federad* federativ* hermandad colegiad*',
  generalMeeting:
    'asamblea* junta acta actas convocatoria* elección* votación* directiva* presidente* presidenta tesorero* tesorera secretario* vocal vocales socios quórum estatuto* asociación*',
  volunteering: 'voluntari* ong turno turnos cuadrante* bombero* solidari* cáritas retén colaborador* brigada*',
  raffle:
    'rifa* sorteo* tómbola* mercadillo* rastrillo* rastro bazar kermés kermesse papeletas verbena* feria benéfic* lotería bingo boleto* participaciones',
  newsletter:
    'newsletter* boletín boletines mailing* mailchimp mailrelay suscri* emailing campaña* brevo circular difusión sendinblue',
  website:
    'web webs website homepage portada wordpress landing webmaster* contenidos seo cms tiendaonline maquet* programador* lanzamiento',
  logo: 'logo logos logotipo* diseño* diseñador* diseñar imagotipo* etiqueta* packaging embalaje* envase* maqueta* mockup boceto* tipografía* ilustra* branding rótulo* gráfic*',
  article:
    'artículo* columna* columnista* manuscrit* galerada* redacción* redactor* editor* abstract reportaje* revisor* correctora* revista* imprenta capítulo* reseña*',
  podcast:
    'podcast* entrevista* grabación* grabar vídeo* micrófono* youtube episodio* audiovisual* radio locución* rodaje* plató',
  talk: 'charla* conferencia* ponencia* ponente* disertación* coloquio* orador* tedx keynote speaker* discurso* auditorio* jornadas',
  stand:
    'stand stands mercadillo* feria* expositor* caseta* paradista* artesan* ifema ambulante* mercado mercados puesto puestos',
  shop: 'proveedor* mercancía* existencias inventario* stock tpv escaparate* comercio* tienda tiendas mayorista* tendero* datáfono* almacén surtido* reposición estanter* mostrador*',
  insuranceWork:
    'mutua mutuas mutual* fremap asepeyo ibermutua riesgos prl cualtis quirónprevención prevención laborales umivale gremio* ocupacional*',
  reference: 'referencias aval avalar recomendaci* recomendante avala avalista* prescriptor*',
  jobApplication:
    'candidatura* candidato* candidata* entrevista* currículum currículo empleo* vacante* infojobs reclutador* reclutamiento* selección postula* linkedin puesto rrhh motivación*',
  employment:
    'laboral* empleo* empleado* finiquito* despido* preaviso* vacaciones excedencia* indefinid* rrhh jornada contratación* incorporación* cese dimisión* dimitir',
  visitors:
    'acreditación* visitante* visitas pase pases conserje* recepción accesos garita* portería* credenciales distintivo identificativo* vigilante aparcamiento badge',
  server:
    'servidor* backup* respaldo* ssl tls caída incidencia* servers linux nas vps hosting ovh parche* disco datacenter sistemas migración* interrupción*',
  projectOffer:
    'presupuest* pliego* propuesta* hito hitos licitación* entregable* adjudic* alcance licitador* sow cotización*',
  materials:
    'muestras reactivo* laboratorio* químic* material materiales probeta* pipeta* insumo* sigma merck disolvente* fungible* fisher reagente*',
  audit:
    'auditor* inspección* inspector* sanidad higiene* higiénic* appcc appc aenor iso sanitaria manipulador* alimentaria* certificadora* conformidad* legionela',
  trademark:
    'oepm patente* copyright autor autoría sgae shutterstock propiedad intelectual* getty marcas euipo royalt* cedro marca',
  officeSpace: 'oficina* despacho* cowork* escritorio* regus wework hotdesk impacthub subarriendo utopicus cloudworks',
  furnitureDelivery:
    'mueble* ikea montaje* montar montador* mobiliario* conforama sofá* estanter* amuebl* desmont* maisons kavehome tornillo* ensambl* aparador*',
  wardrobe:
    'armario* vestidor* ropero* guardarropa* empotrad* placard* carpinter* corredera* percha* pax cajonera* altillo* ebanist*',
  mattress:
    'colchón colchones colchoner* somier* canapé* viscoelástic* flex pikolin cama camas almohada* topper látex muelles emma láminas visco descanso',
  vacuum:
    'aspirador* roomba conga cecotec dyson robot robots batidora* tostador* plancha* thermomix secador* freidora* hervidor* electrodoméstic* pae kobold vorwerk rowenta friegasuelos',
  fridge:
    'nevera* frigorífic* congelador* frigo refriger* nofrost combi balay liebherr heladera* bosch vinoteca* descongel*',
  camera:
    'cámara* dron drones fotográfic* nikon canon réflex trípode* gopro dji leica fujifilm videocámara* obturador* teleobjetivo* lente lentes',
  headphones:
    'auriculares auricular cascos altavoz* altavoces cargador* cable cables airpods bluetooth usb bose jbl adaptador* powerbank sonos micrófono* amplificador* sony',
  watch:
    'reloj* anillo* joya* joyer* alianza* grabado pulsera* collar collares orfebre* platero* rolex casio tous pandora sortija*',
  shoes:
    'zapat* bota botas botines sandalia* katiuskas calzado* suela suelas tacón tacones camper alpargata* deportivas botín mocasin*',
  coat: 'abrigo* chaqueta* traje trajes vestido* tintorer* sastre* chaquetón* gabardina* cazadora* arreglo* planch* esmoquin smoking dobladillo* modist* plumífero* parka americana',
  sportsGear:
    'esquí* neopreno* mochila* decathlon deporte* deportiv* botas raqueta* casco cascos equipación* balón balones equipamiento bastones barrabes',
  mealKit:
    'hellofresh cestas verdura* hortaliza* hortícola* huerta* ecológic* ecocesta* fruta* lechero* wetaca agroecológic* cosecha* talkual',
  wine: 'vino* bodega* cata catas cerveza* enólog* viníc* botella* vendimia* rioja ribera cava tinto albariño sumiller* decantador* enotur* enoteca degustación* sidra*',
  secondHand:
    'wallapop vinted milanuncios segundamano comprador* vendedor* vendid* anuncio* regate* chollo* ebay mercadillo* todocoleccion segunda',
  returnParcel:
    'devolución* devolver devuelto devolverlo etiqueta* retorno* paquete* correos reembolso* desistimiento* seur rma recogida celeritas',
  spareParts:
    'recambio* repuesto* pieza piezas cartucho* tóner tóneres tinta filtro filtros pila pilas batería* reemplazo* bombilla* consumible* refacción*',
  ticket:
    'entrada* ticket* abono abonos localidad* butaca* taquilla* asiento* boleto* espectáculo* aforo palco* grada* tribuna* billete* fila',
  cinema:
    'cine cines película* film films filme* cartelera* kinepolis cinesa yelmo estreno* cineclub filmoteca* palomitas pelis peli proyección* cinematogr* imax',
  audiobook:
    'audiolibro* audible ebook* kindle ereader storytel epub kobo narrador* ebiblio audiolectura nook libby tinta nextory',
  cloud:
    'nube almacenamiento icloud dropbox drive onedrive gigas googlefotos backup* terabyte* gigabyte* sincroniz* googledrive pcloud',
  vpn: 'vpn antivirus contraseña* nordvpn norton kaspersky bitdefender lastpass bitwarden 1password mcafee panda malware ciberseguridad surfshark proton eset',
  dating:
    'duolingo tinder babbel gamepass playstation xbox nintendo premium bumble suscri* steam meetic videojuego* coursera gympass strava calm headspace busuu',
};
