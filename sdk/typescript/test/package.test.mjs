// The package as somebody would install it: its size, and that it can be
// imported, required, bundled and compiled against.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
let project;

before(() => {
  project = mkdtempSync(join(tmpdir(), "project-"));
  const [{ filename }] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", project], root));
  const installed = join(project, "node_modules", "@frontdesk", "sdk");
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", join(project, filename), "--strip-components=1", "-C", installed], project);
  writeFileSync(join(project, "package.json"), "{}");
});

after(() => rmSync(project, { recursive: true }));

function run(program, args, cwd) {
  return execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, FRONTDESK_API_KEY: "" } });
}

const uses = `
  const frontdesk = new Frontdesk({ apiKey: "svc_test_x" });
  console.log(typeof frontdesk.calls.list, typeof webhooks.verify, new NotFoundError({ status: 404, headers: new Headers(), error: null, detail: "" }).name);
`;
const expected = "function function NotFoundError\n";

test("the archive is under 100 KB, and only what is needed is in it", () => {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const archive = join(project, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
  assert.ok(statSync(archive).size < 100_000, `${statSync(archive).size} bytes`);
  const files = run("tar", ["-tzf", archive], project).trim().split("\n");
  assert.deepEqual(files.filter((f) => !/^package\/(dist\/(esm|cjs)\/.*(\.js|\.d\.ts|package\.json)|package\.json|README\.md|LICENSE)$/.test(f)), []);
});

test("it can be imported", () => {
  writeFileSync(join(project, "use.mjs"), `import Default, { Frontdesk, NotFoundError, webhooks } from "@frontdesk/sdk";
    import { fileFromPath } from "@frontdesk/sdk/file";
    if (Default !== Frontdesk || fileFromPath("a/b.md").name !== "b.md") throw new Error("exports");${uses}`);
  assert.equal(run(process.execPath, ["use.mjs"], project), expected);
});

test("it can be required", () => {
  writeFileSync(join(project, "use.cjs"), `const { Frontdesk, NotFoundError, webhooks } = require("@frontdesk/sdk");
    const { fileFromPath } = require("@frontdesk/sdk/file");
    if (fileFromPath("a/b.md").name !== "b.md") throw new Error("exports");${uses}`);
  assert.equal(run(process.execPath, ["use.cjs"], project), expected);
});

test("a file is read in both forms", async () => {
  writeFileSync(join(project, "note.md"), "# Note");
  const read = `const reader = fileFromPath("note.md").stream().getReader();
    reader.read().then(({ value }) => console.log(new TextDecoder().decode(value)));`;
  writeFileSync(join(project, "read.mjs"), `import { fileFromPath } from "@frontdesk/sdk/file";${read}`);
  writeFileSync(join(project, "read.cjs"), `const { fileFromPath } = require("@frontdesk/sdk/file");${read}`);
  for (const script of ["read.mjs", "read.cjs"]) assert.equal(run(process.execPath, [script], project), "# Note\n");
});

test("a bundler takes it for a browser, minified, without Node's modules", (t) => {
  const esbuild = process.env.ESBUILD;
  if (!esbuild) return t.skip("NOT COVERED: no bundler here (ESBUILD is the path of esbuild)");
  writeFileSync(join(project, "bundle.mjs"), `import { Frontdesk, NotFoundError, webhooks } from "@frontdesk/sdk";${uses}`);
  run(esbuild, ["bundle.mjs", "--bundle", "--minify", "--platform=browser", "--format=esm", "--outfile=out.mjs"], project);
  assert.equal(run(process.execPath, ["out.mjs"], project), expected);
  assert.doesNotMatch(readFileSync(join(project, "out.mjs"), "utf8"), /node:/);
  return undefined;
});

test("nothing but the part for files names Node's modules", () => {
  for (const form of ["esm", "cjs"]) {
    const folder = join(root, "dist", form);
    const files = run("grep", ["-rlE", "['\"]node:", folder], root).trim().split("\n");
    assert.deepEqual(files, [join(folder, "file.js")]);
  }
});

for (const module of ["NodeNext", "bundler"]) {
  test(`somebody's strict project compiles against it (${module})`, () => {
    writeFileSync(join(project, "use.mts"), readFileSync(join(root, "test", "usage.ts")));
    writeFileSync(join(project, "use.cts"), 'import { Frontdesk } from "@frontdesk/sdk";\nexport const frontdesk: Frontdesk = new Frontdesk();\n');
    const options = module === "NodeNext" ? ["--module", "NodeNext"] : ["--module", "ES2022", "--moduleResolution", "bundler"];
    const sources = module === "NodeNext" ? ["use.mts", "use.cts"] : ["use.mts"];
    compile(["--noEmit", "--strict", "--target", "ES2022", ...options, ...sources]);
  });
}

test("every operation with all its parameters fits the types", () => {
  compile(["-p", join(root, "test")]);
});

function compile(args) {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  try {
    run(process.execPath, [tsc, ...args], project);
  } catch (error) {
    assert.fail(error.stdout);
  }
}
