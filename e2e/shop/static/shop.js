// Adds to the cart without leaving the page; without script the form does it.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("form.add")) return;
  event.preventDefault();
  const button = form.querySelector("button");
  const status = document.getElementById("status");
  button.disabled = true;
  try {
    const reply = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams(new FormData(form)),
    });
    const body = await reply.json();
    if (!reply.ok) throw new Error(body.error);
    document.getElementById("count").textContent = body.count;
    status.innerHTML = "";
    status.append(`Added to cart: ${body.added}. `);
    const link = document.createElement("a");
    link.href = "/cart";
    link.textContent = "View cart";
    status.append(link);
  } catch (error) {
    status.textContent = error.message || "That did not work. Please try again.";
  } finally {
    button.disabled = false;
  }
});
