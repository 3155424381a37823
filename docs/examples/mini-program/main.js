import { openArticles } from "./app.js";
import { createPhone } from "./phone.js";

const [app, provider] = process.argv.slice(2);
const { wx, page } = createPhone(`${provider}/sim/users/mei`);

const articles = await openArticles(app, wx, page);
console.log(`logged in: ${articles.length} articles`);
