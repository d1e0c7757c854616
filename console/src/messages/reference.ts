// Messages of the reference. What it says of the calls is the OpenAPI document, which is English.

import { catalog } from './catalog'

export const reference = catalog(
  {
    title: 'API reference',
    find: 'Find a call',
    calls: 'Calls',
    none: 'No call has these words.',
    document: 'OpenAPI document',
    console: 'Console',
    hint: 'KEY is your API key, BASE the address of this server. Every response has the member data, or error with a code and a message.',
    failed: 'The reference cannot be loaded. Try again, or read openapi.json on this server.',
    parameters: 'Parameters',
    request: 'Request',
    responses: 'Responses',
    required: 'required',
    body: (type: string) => `Body, ${type}`,
    bytes: 'The bytes themselves.',
  },
  {
    title: 'API-Referenz',
    find: 'Aufruf suchen',
    calls: 'Aufrufe',
    none: 'Kein Aufruf enthält diese Wörter.',
    document: 'OpenAPI-Dokument',
    console: 'Konsole',
    hint: 'KEY ist Ihr API-Schlüssel, BASE die Adresse dieses Servers. Jede Antwort enthält data, oder error mit einem Code und einer Meldung.',
    failed: 'Die Referenz lässt sich nicht laden. Versuchen Sie es noch einmal, oder lesen Sie openapi.json auf diesem Server.',
    parameters: 'Parameter',
    request: 'Anfrage',
    responses: 'Antworten',
    required: 'erforderlich',
    body: (type: string) => `Inhalt, ${type}`,
    bytes: 'Die Bytes selbst.',
  },
)
