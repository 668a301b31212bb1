const { createHmac, timingSafeEqual } = require("crypto");
const secrets = ["whsec_PUT-THE-SECRET-HERE"]; // two while a rotation lasts

const { headers } = $input.first().json;
const body = await this.helpers.getBinaryDataBuffer(0, "data");
const given = String(headers["webhook-signature"]).split(" ").map((one) => Buffer.from(one));
const fresh = Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) <= 300;
const genuine = fresh && secrets.some((secret) => {
  const mac = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"));
  mac.update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`).update(body);
  const want = Buffer.from("v1," + mac.digest("base64"));
  return given.some((one) => one.length === want.length && timingSafeEqual(one, want));
});
return [{ json: { genuine, event: genuine ? JSON.parse(body.toString("utf8")) : {} } }];
