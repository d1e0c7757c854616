// Renders the scene written by `flight_for_peers` with three.js in headless Chromium, without a GPU: `node flight_peer.mjs FOLDER
// MODULES`, where MODULES is a node_modules with three, puppeteer-core and esbuild. Prints the median time per frame in milliseconds,
// and writes the last frame to FOLDER/peer.png.
//
// Simplified for the peer: one color per face (no windows, tiles or grain), Lambert shading, one shadow map drawn once, the ground's
// painting drawn once into two textures, multisampling by the browser, the same culling. A frame is timed until its pixels are read.
import { createServer } from "node:http";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [folder, modules] = process.argv.slice(2).map((p) => path.resolve(p));
const load = createRequire(path.join(modules, "x.js"));

const page = `
import * as THREE from "three";
const raw = async (name, Kind) => new Kind(await (await fetch("/" + name)).arrayBuffer());
window.draw = async () => {
  const data = await (await fetch("/scene.json")).json();
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(1920, 1080, false);
  renderer.toneMapping = THREE.ACESFilmicToneMapping;
  document.body.appendChild(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0.62, 0.74, 0.87);
  scene.fog = new THREE.FogExp2(0xa0b8d0, 0.00035);
  const focus = new THREE.Vector3(...data.focus), sun = new THREE.Vector3(...data.sun);
  const light = new THREE.DirectionalLight(0xffeedd, 3);
  light.position.copy(focus).addScaledVector(sun, 1000);
  light.target.position.copy(focus);
  light.castShadow = true;
  light.shadow.mapSize.set(4096, 4096);
  Object.assign(light.shadow.camera, { left: -230, right: 230, bottom: -230, top: 230, near: 10, far: 2000 });
  scene.add(light, light.target, new THREE.HemisphereLight(0xbfd4ff, 0x8a7a5a, 1.2));
  const body = async (name, material) => {
    const attributes = {
      position: new THREE.BufferAttribute(await raw(name + ".positions", Float32Array), 3),
      normal: new THREE.BufferAttribute(await raw(name + ".normals", Int8Array), 4, true),
      color: new THREE.BufferAttribute(await raw(name + ".colors", Uint8Array), 4, true),
    };
    const indices = await raw(name + ".indices", Uint32Array);
    for (const [min, max, from, to] of data[name]) {
      if (to <= from) continue;
      const geometry = new THREE.BufferGeometry();
      for (const key in attributes) geometry.setAttribute(key, attributes[key]);
      geometry.setIndex(new THREE.BufferAttribute(indices.subarray(from, to), 1));
      geometry.boundingBox = new THREE.Box3(new THREE.Vector3(...min), new THREE.Vector3(...max));
      geometry.boundingSphere = geometry.boundingBox.getBoundingSphere(new THREE.Sphere());
      const mesh = new THREE.Mesh(geometry, material);
      mesh.castShadow = mesh.receiveShadow = true;
      scene.add(mesh);
    }
  };
  await body("solids", new THREE.MeshLambertMaterial({ vertexColors: true }));
  await body("plants", new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide }));
  // Paints the ground from above into one texture for the near part and one for the rest.
  const flat = await raw("paint", Float32Array), count = flat.length / 5;
  const at = new Float32Array(count * 3), ink = new Float32Array(count * 3);
  for (let i = 0; i < count; i++) {
    at.set([flat[i * 5], flat[i * 5 + 1], (Math.floor(i / 3) * 3) / count], i * 3);
    ink.set([flat[i * 5 + 2], flat[i * 5 + 3], flat[i * 5 + 4]], i * 3);
  }
  const painted = new THREE.BufferGeometry();
  painted.setAttribute("position", new THREE.BufferAttribute(at, 3));
  painted.setAttribute("color", new THREE.BufferAttribute(ink, 3));
  const canvas = new THREE.Scene();
  canvas.add(new THREE.Mesh(painted, new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.DoubleSide })));
  const heights = await raw("heights", Float32Array);
  const [x0, y0, spacing, columns, rows] = data.terrain;
  const height = (x, y) => {
    const i = Math.min(Math.max(Math.round((x - x0) / spacing), 0), columns - 1);
    const j = Math.min(Math.max(Math.round((y - y0) / spacing), 0), rows - 1);
    return heights[j * columns + i];
  };
  for (const [half, side, lift] of [[230, 4096, 0], [3000, 4096, -0.15]]) {
    const target = new THREE.WebGLRenderTarget(side, side, { generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter });
    const above = new THREE.OrthographicCamera(-half, half, half, -half, 0, 10);
    above.position.set(focus.x, focus.y, 5);
    renderer.setRenderTarget(target);
    renderer.render(canvas, above);
    renderer.setRenderTarget(null);
    const steps = Math.ceil((2 * half) / 30);
    const geometry = new THREE.PlaneGeometry(2 * half, 2 * half, steps, steps);
    const position = geometry.attributes.position;
    for (let i = 0; i < position.count; i++)
      position.setXYZ(i, position.getX(i) + focus.x, position.getY(i) + focus.y, height(position.getX(i) + focus.x, position.getY(i) + focus.y) + lift);
    geometry.computeVertexNormals();
    const ground = new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ map: target.texture }));
    ground.receiveShadow = true;
    scene.add(ground);
  }
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.autoUpdate = false;
  renderer.shadowMap.needsUpdate = true;
  const gl = renderer.getContext(), pixels = new Uint8Array(1920 * 1080 * 4), times = [];
  for (const [eye, aim, up, field] of [data.cameras[0], ...data.cameras]) {
    const camera = new THREE.PerspectiveCamera((field * 180) / Math.PI, 1920 / 1080, 2, 20000);
    camera.position.set(...eye);
    camera.up.set(...up);
    camera.lookAt(...aim);
    const start = performance.now();
    renderer.render(scene, camera);
    gl.readPixels(0, 0, 1920, 1080, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    times.push(performance.now() - start);
  }
  const unmasked = gl.getExtension("WEBGL_debug_renderer_info");
  return { times: times.slice(1), on: gl.getParameter(unmasked.UNMASKED_RENDERER_WEBGL), picture: renderer.domElement.toDataURL() };
};`;

const built = await load("esbuild").build({
  stdin: { contents: page, resolveDir: path.dirname(modules) },
  bundle: true,
  format: "iife",
  write: false,
});
const script = built.outputFiles[0].text;
const server = createServer((request, response) => {
  if (request.url === "/") return response.end("<!doctype html><body></body>");
  const file = path.join(folder, path.basename(request.url));
  if (!existsSync(file)) return response.writeHead(404).end();
  response.end(readFileSync(file));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const browser = await load("puppeteer-core").launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  protocolTimeout: 540_000,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});
try {
  const tab = await browser.newPage();
  tab.on("console", (message) => console.error(message.text()));
  await tab.goto(`http://127.0.0.1:${server.address().port}/`);
  await tab.addScriptTag({ content: script });
  const { times, on, picture } = await tab.evaluate(() => window.draw());
  writeFileSync(path.join(folder, "peer.png"), Buffer.from(picture.split(",")[1], "base64"));
  times.sort((a, b) => a - b);
  console.error(`three.js on ${on}: ${times.map((t) => t.toFixed(0)).join(" ")} ms`);
  console.log(times[Math.floor(times.length / 2)].toFixed(0));
} finally {
  await browser.close();
  server.close();
}
