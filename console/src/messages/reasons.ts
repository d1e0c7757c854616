// Why a request was refused or a job failed. The service says it in English; in other languages, its code says it, and where the code
// does not say all, the words of the service follow.

import { language } from './catalog'

interface ServiceError {
  code?: string
  message?: string
}

const DE: Record<string, string> = {
  VALIDATION_ERROR: 'Eine Angabe fehlt oder ist ungültig',
  INVALID_URL: 'Ein Bild kann nicht verwendet werden',
  UNAUTHORIZED: 'Der Schlüssel ist ungültig',
  FORBIDDEN: 'Dazu fehlt dem Schlüssel das Recht',
  FEATURE_DISABLED: 'Das ist für diese Organisation nicht freigeschaltet',
  INSUFFICIENT_QUOTA: 'Das Kontingent des Monats ist aufgebraucht oder zu klein',
  JOB_NOT_FOUND: 'Diesen Auftrag gibt es nicht.',
  UPLOAD_NOT_FOUND: 'Dieses Foto gibt es nicht mehr; laden Sie es noch einmal hoch.',
  WEBHOOK_NOT_FOUND: 'Diesen Webhook gibt es nicht.',
  LISTING_NOT_FOUND: 'Dieses Objekt gibt es nicht.',
  SHARE_LINK_NOT_FOUND: 'Diesen Link gibt es nicht.',
  SHARE_LINK_GONE: 'Der Link ist abgelaufen oder wurde widerrufen.',
  NOT_FOUND: 'Das gibt es hier nicht',
  JOB_IN_PROGRESS: 'Dazu läuft schon ein Auftrag; warten Sie, bis er fertig ist.',
  UPLOAD_CONFLICT: 'Die Datei hat sich während des Hochladens geändert; laden Sie sie noch einmal hoch.',
  UPLOAD_TOO_LARGE: 'Das Foto ist zu groß',
  LISTING_CONFLICT: 'Ein anderes Objekt hat dieselbe Referenz.',
  LEGAL_HOLD: 'Das darf nicht gelöscht werden, weil es aus rechtlichen Gründen aufbewahrt wird.',
  RATE_LIMITED: 'Zu viele Anfragen; versuchen Sie es gleich noch einmal.',
  INTERNAL_ERROR: 'Im Dienst ist ein Fehler aufgetreten; versuchen Sie es noch einmal.',
  ADDRESS_NOT_FOUND: 'Die Adresse wurde nicht gefunden',
  ADDRESS_AMBIGUOUS: 'Die Adresse passt zu mehreren Orten; ergänzen Sie Postleitzahl und Ort',
  IMAGE_UNREADABLE: 'Das Bild ist nicht lesbar',
  EXPOSURE_MISMATCH: 'Eine Belichtung passt nicht zum Foto',
  NOT_A_ROOM: 'Das Foto zeigt keinen Raum',
  ROOM_NOT_EMPTY: 'Der Raum ist schon möbliert',
  ROOM_NOT_UNDERSTOOD: 'Die Form des Raums ist nicht sicher zu erkennen',
  CANCELED: 'Der Auftrag wurde abgebrochen und wird nicht berechnet.',
  ATTEMPTS_EXHAUSTED: 'Alle Versuche wurden unterbrochen; versuchen Sie es noch einmal.',
  ENGINE_ERROR: 'Bei der Herstellung ist ein Fehler aufgetreten',
}

export function errorText({ code = '', message = '' }: ServiceError): string {
  const known = language.value === 'de' ? DE[code] : undefined
  if (!known) return message
  return known.endsWith('.') || !message ? known : `${known}. Der Dienst sagt: ${message}`
}
