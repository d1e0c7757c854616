// Messages of the choice of a photo at a desk.

import { catalog } from './catalog'

export const choice = catalog(
  {
    title: 'Photo',
    upload: 'Upload a photo',
    dropHint: 'Drop it here, or choose a file: JPEG, PNG, WebP, TIFF, HEIC, AVIF or DNG, up to 150 MB.',
    sending: (percent: number) => `Uploading, ${percent} %`,
    refused: (why: string) => `The photo was not taken: ${why}`,
    notAPhoto: (name: string) => `Aerie cannot read ${name}. Save it as JPEG, PNG, WebP, TIFF, HEIC, AVIF or DNG, and choose it again.`,
    broken: 'The upload stopped. Check the connection, and choose the photo again.',
    fromListing: 'From a listing',
    chooseListing: 'Choose a listing…',
    noPhotos: 'This listing has no photos yet.',
    another: 'Another photo',
    noPicture: 'This browser has no picture of the photo. It comes with the first result.',
    noScope: 'Your key may not make anything: it lacks the scope “generate”. Sign in with another key.',
    disabled: 'Your organization does not have this kind of media. Ask whoever runs this server.',
  },
  {
    title: 'Foto',
    upload: 'Foto hochladen',
    dropHint: 'Hierher ziehen oder Datei wählen: JPEG, PNG, WebP, TIFF, HEIC, AVIF oder DNG, bis 150 MB.',
    sending: (percent) => `Wird übertragen, ${percent} %`,
    refused: (why) => `Das Foto wurde nicht angenommen: ${why}`,
    notAPhoto: (name) => `Aerie kann ${name} nicht lesen. Speichern Sie das Bild als JPEG, PNG, WebP, TIFF, HEIC, AVIF oder DNG, und wählen Sie es erneut.`,
    broken: 'Die Übertragung ist abgebrochen. Prüfen Sie die Verbindung, und wählen Sie das Foto noch einmal.',
    fromListing: 'Aus einem Objekt',
    chooseListing: 'Objekt wählen…',
    noPhotos: 'Dieses Objekt hat noch keine Fotos.',
    another: 'Anderes Foto',
    noPicture: 'Dieser Browser hat kein Bild dieses Fotos. Es erscheint mit dem ersten Ergebnis.',
    noScope: 'Ihr Schlüssel darf nichts erstellen: Ihm fehlt das Recht „generate“. Melden Sie sich mit einem anderen Schlüssel an.',
    disabled: 'Ihre Organisation hat diese Art von Medien nicht. Fragen Sie, wer diesen Server betreibt.',
  },
)
