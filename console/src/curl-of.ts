// A request of a desk as a command.

export const curlOf = (path: string, body: unknown): string =>
  `curl -s "$BASE${path}" -H "X-API-Key: $KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" -d '${JSON.stringify(body).replace(/'/g, `'\\''`)}'
curl -s "$BASE/v1/jobs/$JOB" -H "X-API-Key: $KEY"`
