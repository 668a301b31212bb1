// Makes PDFs of Typst's documents and of pdfmake's: node make.mjs SOURCE RESULT
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";

const require = createRequire(process.cwd() + "/");
const [source, result] = process.argv.slice(2);

if (source.endsWith(".typ")) {
  const { NodeCompiler } = require("@myriaddreamin/typst-ts-node-compiler");
  const compiler = NodeCompiler.create({ fontArgs: [{ fontPaths: ["/usr/share/fonts"] }] });
  const pdf = compiler.pdf({ mainFileContent: readFileSync(source, "utf8") });
  writeFileSync(result, pdf);
} else {
  const pdfmake = require("pdfmake");
  const dir = "/usr/share/fonts/truetype/liberation/LiberationSans-";
  pdfmake.setFonts({ Roboto: { normal: dir + "Regular.ttf", bold: dir + "Bold.ttf" } });
  pdfmake.setUrlAccessPolicy?.(() => false);
  pdfmake.setLocalAccessPolicy?.(() => true);
  await pdfmake.createPdf(JSON.parse(readFileSync(source, "utf8"))).write(result);
}
