import { type HonestMail, writer } from './honest-mail.ts';

const school = writer('school', 'fr');
const landlady = writer('landlady', 'it');
const insurer = writer('insurer', 'es');

/**
 * Honest mails in French, Italian and Spanish. Held out: written before any of them was read by a rule or a model, and
 * never a reason to change a phrase.
 */
export const HONEST_SOUTH: readonly HonestMail[] = [
  school.done(
    'cantine-inscrite',
    'canteen',
    'Cantine de Mina',
    'Bonjour,\n\nC’est fait : Mina est inscrite à la cantine à partir de lundi. Vous n’avez plus rien à nous envoyer.\n\nLe secrétariat',
  ),
  school.done(
    'cantine-dossier',
    'canteen',
    'Inscription à la cantine',
    'Madame, Monsieur,\n\nNous avons bien reçu le dossier et l’inscription de Mina à la cantine est validée.\n\nÉcole du Tilleul',
  ),
  school.moved('cantine-delai', 'canteen', 17, (day) => ({
    subject: 'Cantine : délai prolongé',
    text: `Bonjour,\n\nLes inscriptions à la cantine sont prolongées jusqu’au ${day}.\n\nLe secrétariat`,
  })),
  school.archived(
    'cantine-fermee',
    'canteen',
    'Plus de cantine cet hiver',
    'Bonjour,\n\nLa cantine ferme pour travaux tout l’hiver. L’inscription de Mina n’est donc plus nécessaire, nous l’avons annulée.\n\nLe secrétariat',
  ),
  school.done(
    'sortie-reglee',
    'outing',
    'Sortie scolaire au moulin',
    'Bonjour,\n\nVotre règlement pour la sortie scolaire nous est bien parvenu. Merci beaucoup !\n\nLe secrétariat',
  ),
  school.done(
    'sortie-payee',
    'outing',
    'Reçu',
    'Madame, Monsieur,\n\nVoici votre reçu : la sortie scolaire de Mina est payée.\n\nÉcole du Tilleul',
  ),
  school.moved('sortie-reportee', 'outing', 14, (day) => ({
    subject: 'Sortie scolaire : nouvelle date',
    text: `Bonjour,\n\nLe paiement de la sortie scolaire est reporté au ${day}, le temps que le musée nous réponde.\n\nLe secrétariat`,
  })),
  school.archived(
    'sortie-annulee',
    'outing',
    'Sortie annulée',
    'Bonjour,\n\nFaute d’accompagnateurs, la sortie scolaire est annulée. Il n’y a rien à payer.\n\nLe secrétariat',
  ),
  school.done(
    'sortie-cheque',
    'outing',
    'Votre chèque',
    'Bonjour,\n\nLe chèque pour la sortie scolaire a été encaissé hier, tout est en règle pour Mina.\n\nLe secrétariat',
  ),
  school.moved('cantine-reouverture', 'canteen', 22, (day) => ({
    subject: 'Dossier cantine',
    text: `Bonjour,\n\nLa nouvelle date limite pour inscrire votre enfant à la cantine est le ${day}.\n\nLe secrétariat`,
  })),
  school.unchanged(
    'sortie-attendue',
    'outing',
    'Sortie scolaire',
    'Bonjour,\n\nSauf erreur de notre part, nous attendons toujours votre participation à la sortie scolaire.\n\nLe secrétariat',
  ),
  landlady.done(
    'caparra-arrivata',
    'caution',
    'Caparra',
    'Ciao Robin,\n\nla caparra è arrivata stamattina, grazie mille. Ti mando la ricevuta con la posta.\n\nGiulia',
  ),
  landlady.done(
    'caparra-saldata',
    'caution',
    'Appartamento via Lauri: ricevuta',
    'Gentile Robin,\n\ncon la presente confermo che la caparra per via Lauri è stata interamente versata.\n\nGiulia Lauri',
  ),
  landlady.moved('caparra-rinviata', 'caution', 18, (day) => ({
    subject: 'La caparra può aspettare',
    text: `Ciao Robin,\n\nnessuna fretta: la scadenza della caparra è spostata al ${day}.\n\nGiulia`,
  })),
  landlady.archived(
    'caparra-non-serve',
    'caution',
    'Niente caparra',
    'Ciao Robin,\n\nho parlato con mio fratello e la caparra non serve più. Lascia stare, ci fidiamo.\n\nGiulia',
  ),
  landlady.done(
    'chiavi-ricevute',
    'keys',
    'Chiavi',
    'Ciao Robin,\n\nho ritirato le chiavi dal portiere, tutte e tre. Grazie per averle consegnate puntualmente.\n\nGiulia',
  ),
  landlady.done(
    'chiavi-consegnate',
    'keys',
    'Verbale di consegna',
    'Gentile Robin,\n\nle chiavi dell’appartamento risultano consegnate e il verbale è firmato.\n\nGiulia Lauri',
  ),
  landlady.moved('chiavi-altro-giorno', 'keys', 11, (day) => ({
    subject: 'Consegna delle chiavi',
    text: `Ciao Robin,\n\nper le chiavi vediamoci invece il ${day}, prima sono in montagna. La consegna è rimandata a quel giorno.\n\nGiulia`,
  })),
  landlady.done(
    'caparra-bonifico',
    'caution',
    'Bonifico',
    'Ciao,\n\nil tuo bonifico per la caparra è stato accreditato. Tutto a posto.\n\nGiulia',
  ),
  landlady.moved('caparra-proroga', 'caution', 23, (day) => ({
    subject: 'Proroga',
    text: `Gentile Robin,\n\nle concedo volentieri una proroga: può pagare la caparra entro il ${day}.\n\nGiulia Lauri`,
  })),
  landlady.unchanged(
    'caparra-manca',
    'caution',
    'Caparra',
    'Ciao Robin,\n\nho guardato il conto e la caparra non la vedo ancora. Forse è il fine settimana.\n\nGiulia',
  ),
  insurer.done(
    'informe-recibido',
    'damages',
    'Siniestro SN-7781',
    'Estimado cliente:\n\nHemos recibido su informe de daños y ya está incorporado al expediente. No necesitamos nada más de usted.\n\nSeguros Nube',
  ),
  insurer.done(
    'informe-registrado',
    'damages',
    'Informe de daños registrado',
    'Hola, Robin:\n\nTe confirmo que el informe de daños que enviaste el martes llegó bien y quedó registrado.\n\nUn saludo, Nube',
  ),
  insurer.moved('informe-plazo', 'damages', 17, (day) => ({
    subject: 'Ampliación de plazo',
    text: `Estimado cliente:\n\nEl plazo para enviar el informe de daños se ha ampliado hasta el ${day}.\n\nSeguros Nube`,
  })),
  insurer.archived(
    'informe-innecesario',
    'damages',
    'Ya no hace falta el informe',
    'Estimado cliente:\n\nNuestro perito visitó la cocina, de modo que el informe de daños ya no es necesario.\n\nSeguros Nube',
  ),
  insurer.done(
    'indemnizacion-abonada',
    'payout',
    'Indemnización abonada',
    'Estimado cliente:\n\nLe informamos de que la indemnización ha sido abonada en su cuenta.\n\nSeguros Nube',
  ),
  insurer.done(
    'indemnizacion-transferida',
    'payout',
    'SN-7781: pago',
    'Hola, Robin:\n\nAyer te transferimos la indemnización completa del siniestro SN-7781 y el banco ya nos confirmó el cobro.\n\nNube',
  ),
  insurer.moved('indemnizacion-aplazada', 'payout', 24, (day) => ({
    subject: 'Fecha de la indemnización',
    text: `Estimado cliente:\n\nEl cobro de la indemnización se aplaza al ${day} por el cierre del año.\n\nSeguros Nube`,
  })),
  insurer.done(
    'informe-completo',
    'damages',
    'Gracias por el informe',
    'Buenas tardes:\n\nGracias por el informe de daños; con él queda cumplido el trámite por su parte.\n\nSeguros Nube',
  ),
  insurer.moved('informe-nueva-fecha', 'damages', 13, (day) => ({
    subject: 'Nueva fecha',
    text: `Hola, Robin:\n\nLa nueva fecha límite del informe de daños es el ${day}.\n\nNube`,
  })),
  insurer.unchanged(
    'indemnizacion-en-estudio',
    'payout',
    'Su expediente',
    'Estimado cliente:\n\nLa indemnización sigue en estudio. En cuanto se apruebe, se lo haremos saber.\n\nSeguros Nube',
  ),
  school.done(
    'cantine-carte',
    'canteen',
    'La carte est prête',
    'Bonjour,\n\nMina figure désormais sur la liste de la cantine et sa carte l’attend à l’accueil. L’inscription est terminée.\n\nLe secrétariat',
  ),
  landlady.done(
    'chiavi-portiere',
    'keys',
    'Tutto fatto',
    'Ciao Robin,\n\nil portiere mi dice che hai consegnato le chiavi ieri sera. Perfetto, siamo a posto.\n\nGiulia',
  ),
  insurer.done(
    'indemnizacion-cobrada',
    'payout',
    'Expediente SN-7781',
    'Estimado cliente:\n\nNos consta que ya cobró la indemnización. Si ve alguna diferencia, escríbanos.\n\nSeguros Nube',
  ),
];
