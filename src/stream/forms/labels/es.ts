import type { LabelWords } from './words.ts';

/** Spanish. */
export const SPANISH: LabelWords = {
  when: `
    cuándo | fecha | fecha y hora | fecha/hora | hora | cita | su cita | tu cita | fecha de la cita | inicio`,
  about: `
    dónde | lugar | ubicación | dirección | qué | evento | quién | duración | motivo | servicio | asistentes |
    clínica | con | asunto`,
  former: `
    fecha anterior | hora anterior | cita anterior | antes | anteriormente | fecha original | hora original |
    antigua fecha | cita original | en lugar de`,
  next: `
    nueva fecha | nueva hora | nueva cita | nueva fecha y hora | nuevo horario | aplazado al | aplazada al |
    trasladado al | ahora | nueva fecha de entrega | nueva salida | nuevo plazo | nuevo vencimiento`,
  due: `
    vencimiento | fecha de vencimiento | vence el | vence | fecha límite | fecha límite de pago | pagar antes del |
    plazo | plazo de pago | a pagar antes del | fecha de devolución | devolver antes del`,
  open: `
    importe pendiente | saldo pendiente | pendiente de pago | total pendiente | a pagar | por pagar |
    importe adeudado`,
  reference: `
    factura | número de factura | n.º de factura | nº de factura | nº factura | factura n.º | factura nº | pedido |
    número de pedido | n.º de pedido | nº de pedido | pedido n.º | reserva | número de reserva | n.º de reserva |
    nº de reserva | código de reserva | localizador | número de seguimiento | nº de seguimiento | número de envío |
    referencia | su referencia | nuestra referencia | expediente | número de expediente | nº de expediente |
    número de contrato | número de confirmación`,
  status: 'estado | estado actual | nuevo estado | situación',
  statusOfPayment: 'estado del pago | estado de pago | pago | estado de la factura',
  statusOfDelivery: `
    estado del pedido | estado de tu pedido | estado de su pedido | estado del envío | estado de la entrega |
    entrega | estado de entrega`,
  statusOfBooking: 'estado de la reserva | estado de su reserva | estado de la cita',
  paid: `
    pagado | pagada | abonado | abonada | pago recibido | pago completado | pago realizado | liquidado | liquidada |
    cobrado | cobrada`,
  delivered: 'entregado | entregada | recogido | recogida | pedido entregado | recibido',
  booked: 'confirmado | confirmada | reservado | reservada | reserva confirmada',
  cancelled: 'cancelado | cancelada | anulado | anulada | pedido cancelado | reserva cancelada',
  signed: 'firmado | firmada | firmado por todos | firmado por todas las partes',
  approved: 'aprobado | aprobada | aceptado | aceptada | concedido | concedida | autorizado | autorizada',
  completed: `
    completado | completada | finalizado | finalizada | terminado | terminada | cerrado | cerrada | presentado |
    presentada | realizado | realizada`,
  pending: `
    pendiente | pendiente de pago | en proceso | procesando | en curso | en preparación | impagado | impagada |
    no pagado | no pagada | parcialmente pagado | parcialmente pagada | vencido | vencida | rechazado | rechazada |
    fallido | enviado | en tránsito | en camino | en reparto | retrasado | no entregado | solicitado | solicitada |
    provisional | lista de espera | borrador | devuelto | en revisión | parcialmente entregado`,
  fillers: 'el | a | en | hoy | ayer | por completo | gracias | íntegramente',
  notDone: `
    retrasado | retrasada | retraso | en camino | en reparto | será entregado | se entregará | llegará | no se ha |
    no ha sido | no hemos | todavía no | aún no | no pudimos | no se pudo | impagada | impagado | vencida |
    rechazado | rechazada | fallido | cancelado | cancelada | anulado | anulada | pendiente de pago |
    importe pendiente | intento de entrega | se cobrará | reembolsado | devuelto | lista de espera`,
  notCancelled: `
    no cancelada | no cancelado | no se ha cancelado | sigue en pie | sigue confirmada | está confirmada |
    cancelación gratuita | puede cancelarse`,
};
