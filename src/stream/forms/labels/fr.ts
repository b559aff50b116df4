import type { LabelWords } from './words.ts';

/** French. */
export const FRENCH: LabelWords = {
  when: `
    quand | date | date et heure | date/heure | horaire | heure | rendez-vous | votre rendez-vous |
    date du rendez-vous | début`,
  about: `
    où | lieu | adresse | quoi | évènement | événement | qui | durée | motif | motif de consultation | praticien |
    avec | prestation | participants | objet`,
  former: `
    ancienne date | ancien horaire | ancien rendez-vous | ancien créneau | date initiale | date précédente |
    horaire initial | initialement | précédemment | avant | au lieu de | rendez-vous initial`,
  next: `
    nouvelle date | nouvel horaire | nouveau rendez-vous | nouveau créneau | reporté au | déplacé au | désormais |
    nouvelle date de livraison | nouveau départ | nouvelle échéance | nouvelle heure | maintenant`,
  due: `
    échéance | date d'échéance | date d’échéance | date limite | date limite de paiement | à payer avant le |
    à régler avant le | payable avant le | à régler pour le | à rendre avant le | date de retour |
    à retourner avant le`,
  open: `
    reste à payer | montant dû | solde dû | solde restant | montant restant | net à payer | restant dû | à payer`,
  reference: `
    facture | numéro de facture | n° de facture | facture n° | référence | référence de facture | commande |
    numéro de commande | n° de commande | commande n° | réservation | numéro de réservation | n° de réservation |
    code de réservation | référence de réservation | numéro de suivi | n° de suivi | numéro de colis |
    numéro de dossier | dossier | n° de dossier | votre référence | notre référence | numéro de contrat |
    référence de dossier | numéro de confirmation`,
  status: 'statut | état | statut actuel | nouveau statut | situation',
  statusOfPayment: `
    statut du paiement | état du paiement | paiement | statut de la facture | état de la facture | règlement`,
  statusOfDelivery: `
    statut de la commande | état de la commande | statut de livraison | statut de la livraison |
    état de la livraison | statut du colis | livraison | statut de votre commande | état de votre commande`,
  statusOfBooking: 'statut de la réservation | état de la réservation | statut du rendez-vous',
  paid: `
    payé | payée | réglé | réglée | acquitté | acquittée | soldé | soldée | paiement reçu | paiement effectué |
    entièrement payée | entièrement payé`,
  delivered: `
    livré | livrée | remis | remise | retiré | retirée | colis livré | livraison effectuée | distribué |
    commande livrée`,
  booked: 'confirmé | confirmée | réservé | réservée | réservation confirmée',
  cancelled: 'annulé | annulée | commande annulée | réservation annulée | résilié | résiliée',
  signed: 'signé | signée | signé par tous | signé par toutes les parties',
  approved: 'approuvé | approuvée | accepté | acceptée | accordé | accordée | validé | validée',
  completed: `
    terminé | terminée | achevé | achevée | clôturé | clôturée | déposé | déposée | effectué | effectuée`,
  pending: `
    en attente | en cours | en cours de traitement | en préparation | impayé | impayée | non payé | non payée |
    non réglé | non réglée | partiellement payé | partiellement payée | en retard | échu | échue | refusé | refusée |
    échoué | échec | expédié | expédiée | en transit | en cours de livraison | retardé | retardée | non livré |
    non livrée | demandé | demandée | provisoire | liste d'attente | brouillon | à payer | retourné |
    partiellement livrée | en cours de signature | à régler`,
  fillers: 'le | à | du | en totalité | ce jour | hier | merci',
  notDone: `
    en retard | retardé | retardée | en cours de livraison | en route | sera livré | sera livrée | sera prélevé |
    n'a pas | n’a pas | n'est pas | n’est pas | n'avons pas | n’avons pas | pas encore | impayé | impayée | a échoué |
    refusé | refusée | annulé | annulée | en attente | tentative de livraison | n'a pu | remboursé | remboursée |
    reste à payer`,
  notCancelled: `
    pas annulé | pas annulée | est maintenue | est maintenu | reste confirmée | est confirmée | est confirmé |
    annulation gratuite | peut être annulée | annulable`,
};
