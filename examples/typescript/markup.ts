// Markup workflow with types from openapi-typescript and calls by openapi-fetch: markup.ts [ADDRESS]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

type Refusal = components["schemas"]["ErrorEnvelope"];
type Job = components["schemas"]["Job"];

const key = process.env["AERIE_KEY"];
if (key === undefined) throw new Error("set AERIE_KEY to a key; create one with: aerie admin key create --org ORG");
const aerie = createClient<paths>({
  baseUrl: process.env["AERIE_URL"] ?? "http://127.0.0.1:8080",
  headers: { "X-API-Key": key },
});
const address = process.argv[2] ?? "12 Larkspur Lane, 10001 Featherstone Vale";

/** Returns the data of a response; throws if the request was refused. */
function data<T>({ data, error }: { data?: { data: T }; error?: Refusal }): T {
  if (data === undefined) throw new Error(`refused: ${error?.error.code}: ${error?.error.message}`);
  return data.data;
}

/** Polls a job until it awaits input or has ended. */
async function ended(show: () => Promise<Job>): Promise<Record<string, any>> {
  for (;;) {
    const job = await show();
    if (job.status === "failed") throw new Error(`failed: ${JSON.stringify(job.output)}`);
    if (job.status !== "queued" && job.status !== "running") return job.output as Record<string, any>;
    await sleep(1000);
  }
}

async function download(url: string, file: string): Promise<void> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
}

const { job_id: jobId } = data(await aerie.POST("/v1/markup/generate", { body: { address } }));
const path = { jobId };
const markup = async () => data(await aerie.GET("/v1/markup/jobs/{jobId}", { params: { path } }));
const { orientation_variants: variants } = await ended(markup);
console.log("orientations:", variants.map((variant: { key: string }) => variant.key).join(", "));
const body = { orientation: "bottom" as const };
const selected = data(await aerie.POST("/v1/markup/jobs/{jobId}/select", { params: { path }, body }));

// In place of a user: draws a boundary and serves the picture.
const folder = mkdtempSync(join(tmpdir(), "aerie-"));
const [clean, drawn] = [join(folder, "clean.jpg"), join(folder, "drawn.png")];
await download(selected.selected_url, clean);
execFileSync("ffmpeg", ["-v", "error", "-i", clean, "-vf", "drawbox=x=674:y=724:w=700:h=600:color=red:t=8", drawn]);
const pictures = createServer((_, answer) => void answer.setHeader("content-type", "image/png").end(readFileSync(drawn)));
await new Promise<void>((listening) => void pictures.listen(0, "127.0.0.1", listening));
const { port } = pictures.address() as AddressInfo;

const marked = { annotated_image_url: `http://127.0.0.1:${port}/drawn.png`, clean_image_url: selected.selected_url };
data(await aerie.POST("/v1/markup/jobs/{jobId}/annotate", { params: { path }, body: marked }));
pictures.close();
const { boundary } = await ended(markup);
console.log("boundary:", boundary.properties.area_m2, "m²");

const options = { duration: 6, resolution: "720p" as const, aspect_ratio: "1:1" as const };
const video = data(await aerie.POST("/v1/markup/jobs/{jobId}/video", { params: { path }, body: { options } }));
const film = await ended(async () => data(await aerie.GET("/v1/jobs/{jobId}", { params: { path: { jobId: video.job_id } } })));
await download(film["video_url"], "markup.mp4");
console.log("markup.mp4");
