const { HEARTH_APP_URL, HEARTH_TOKEN } = process.env;
const headers = { Authorization: `Bearer ${HEARTH_TOKEN}`, "Content-Type": "application/json" };
const read = async (path) => (await fetch(`${HEARTH_APP_URL}/api/${path}`, { headers })).json();

for (const { name, price } of (await read("products?kind=tea&sort=price")).data) console.log(`${name}: ${price} fen`);
console.log(`${(await read("reviews")).data.length} reviews`);

const review = { product_id: 1, stars: 5, text: "Good tea" };
const written = await fetch(`${HEARTH_APP_URL}/api/reviews`, { method: "POST", headers, body: JSON.stringify(review) });
console.log(`a new one: ${written.status}`);
console.log(`open from ${(await read("opening-hours")).from}`);
