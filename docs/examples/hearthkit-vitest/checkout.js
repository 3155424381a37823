/** What is under test: a client's way from a book to a paid order. `phone` sends its requests. */
export async function buy(phone, title) {
  const { body } = await phone.request("GET", "/api/books");
  const book = body.data.find((one) => one.title === title);
  if (book === undefined) throw new Error(`no book ${title}`);
  const order = await phone.request("POST", "/api/orders", { description: title, amount: book.price });
  // A server that has more work than it can take says so, once: try again.
  if (order.status === 503) return buy(phone, title);
  await phone.pay(order.body.data);
  const paid = await phone.request("GET", `/api/orders/${order.body.data.id}`);
  return paid.body.data.trade_state;
}
