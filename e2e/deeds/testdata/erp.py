# The books of a wholesaler for bakeries, with its sales, purchases and stock, before Tryton.
# The argument is seed or serve.
import datetime
import os
import shutil
import socketserver
import sys
import threading
from decimal import Decimal

state, app, port = os.environ["STATE"], os.environ["APP"], int(os.environ["PORT"])
sys.path.insert(0, f"{app}/py")


class Mail(socketserver.StreamRequestHandler):
    """A mail server that takes every letter and keeps none."""

    def handle(self):
        def say(line):
            self.wfile.write(line + b"\r\n")

        say(b"220 mail")
        for line in self.rfile:
            word = line[:4].upper()
            if word == b"DATA":
                say(b"354 go on")
                while self.rfile.readline() not in (b".\r\n", b""):
                    pass
            say(b"221 bye" if word == b"QUIT" else b"250 ok")


def configure(mail=9):
    with open("trytond.conf", "w") as f:
        f.write(f"[database]\nuri = sqlite://\npath = {state}\n[web]\nroot = {state}/sao\n"
                f"[email]\nuri = smtp://127.0.0.1:{mail}\nfrom = books@example.com\n[cron]\nclean = no\n")
    os.environ.update(TRYTOND_CONFIG=f"{state}/trytond.conf", TRYTOND_DATABASE_NAMES="tryton", DB_NAME="tryton", TRYTONPASSFILE=f"{state}/password")
    import trytond.config

    trytond.config.update_etc(f"{state}/trytond.conf")


def seed():
    sao, packages = "sao", f"{app}/npm/node_modules"
    shutil.copytree(f"{packages}/tryton-sao", sao, ignore=shutil.ignore_patterns("node_modules", "src", "tests"))
    os.symlink(packages, f"{sao}/node_modules")
    configure()
    open("tryton.sqlite", "w").close()
    with open("password", "w") as f:
        f.write("secret-9-word\n")
    from trytond.cli import admin

    sys.argv = ["trytond-admin", "-c", "trytond.conf", "-d", "tryton", "-l", "en", "--email", "anna@example.com", "--activate-dependencies", "-u",
                "account_invoice_stock", "account_statement", "bank", "purchase", "sale", "sale_opportunity"]
    admin.main()
    fill()


def fill():
    from proteus import Model, Wizard, config
    from trytond.modules.account.tests.tools import create_chart, create_fiscalyear, get_accounts
    from trytond.modules.account_invoice.tests.tools import create_payment_term, set_fiscalyear_invoice_sequences
    from trytond.modules.company.tests.tools import create_company

    config = config.set_trytond("sqlite:///tryton", config_file="trytond.conf")
    config.skip_warning = True
    today = datetime.date.today()
    D = Decimal

    def get(name):
        return Model.get(name)

    def one(name, *domain):
        return get(name).find([*domain], limit=1)[0]

    def make(model, lines=(), /, **fields):
        made = get(model)(**fields)
        for line in lines:
            made.lines.new(**line)
        made.save()
        return made

    for item in get("ir.module.config_wizard.item").find([("state", "=", "open")]):
        item.state = "done"
        item.save()
    create_company(make("party.party", name="Berg Wholesale"))
    create_chart()
    for day in today, today - datetime.timedelta(days=366):
        year = set_fiscalyear_invoice_sequences(create_fiscalyear(today=(day.replace(month=1, day=1), day.replace(month=12, day=31))))
        year.start_date, year.end_date = day.replace(month=1, day=1), day.replace(month=12, day=31)
        year.click("create_period")
    accounts = get_accounts()
    cash = one("account.journal", ("type", "=", "cash"))
    make("account.invoice.payment.method", name="Cash", journal=cash, credit_account=accounts["cash"], debit_account=accounts["cash"])
    term = create_payment_term()
    term.save()

    def party(name, email, **fields):
        made = get("party.party")(name=name, **fields)
        made.addresses[0].street, made.addresses[0].city = "1 High Street", "Harbour"
        made.contact_mechanisms.new(type="email", value=email)
        made.contact_mechanisms.new(type="phone", value="+46 8 123 456 78")
        made.save()
        return made

    terms = {"customer_payment_term": term, "supplier_payment_term": term}
    ida, tom, mill, inn, twin, gone = [party(n, e, **terms) for n, e in (
        ("Ida Lind", "ida@example.com"), ("Tom Becker", "tom@example.com"), ("Mill & Sons", "mill@example.com"),
        ("Old Inn", "inn@example.com"), ("Lind, Ida", "ida.lind@example.org"), ("Eve Gone", "eve@example.org"))]
    gone.active = False
    gone.save()
    make("party.category", name="Regulars")
    bank = make("bank", party=make("party.party", name="North Bank"))
    for owner, number in (mill, "GB82WEST12345698765432"), (ida, "DE89370400440532013000"):
        account = get("bank.account")(bank=bank)
        account.owners.append(get("party.party")(owner.id))
        account.numbers.new(type="iban", number=number)
        account.save()
    category = make("product.category", name="Goods", accounting=True, account_expense=accounts["expense"], account_revenue=accounts["revenue"])
    unit = one("product.uom", ("name", "=", "Unit"))

    def product(name, kind, price):
        made = make("product.template", name=name, default_uom=unit, type=kind, list_price=D(price), salable=True, purchasable=True,
                    account_category=category, cost_price_method="fixed")
        made.products[0].cost_price = D(price) / 2
        made.products[0].save()
        return made.products[0]

    flour, mixer, course = product("Flour", "goods", "12"), product("Mixer", "goods", "400"), product("Course", "service", "90")
    product("Old oven", "goods", "900")
    storage, lost = one("stock.location", ("code", "=", "STO")), one("stock.location", ("type", "=", "lost_found"))
    make("stock.inventory", [{"product": flour, "quantity": 100.0}, {"product": mixer, "quantity": 5.0}], location=storage).click("confirm")
    make("stock.inventory", [{"product": flour, "quantity": 90.0}], location=storage)

    def invoice(kind, who, goods, count, *clicks, **fields):
        made = make("account.invoice", [{"product": goods, "quantity": count, "unit_price": goods.template.list_price}],
                    type=kind, party=who, payment_term=term, invoice_date=today, **fields)
        for click in clicks:
            made.click(click)
        return made

    invoice("out", ida, flour, 3.0)
    invoice("out", tom, course, 1.0)
    invoice("out", tom, mixer, 1.0, "validate_invoice")
    invoice("out", ida, mixer, 2.0, "post")
    invoice("out", inn, course, 2.0, "post")
    paid = invoice("out", inn, flour, 1.0, "post")
    pay = paid.click("pay")
    pay.form.payment_method = one("account.invoice.payment.method")
    pay.execute("choice")
    invoice("in", mill, flour, 40.0, reference="M-17")
    invoice("in", mill, flour, 20.0, "post", reference="M-16")

    def order(name, who, goods, count, *clicks):
        price = {"unit_price": goods.template.list_price}
        made = make(name, [{"product": goods, "quantity": count, **price}], party=who, payment_term=term)
        for click in clicks:
            made.click(click)
        return made

    for who, goods, clicks in (ida, flour, ()), (tom, mixer, ("quote",)), (inn, flour, ("quote", "confirm")), (ida, course, ("quote", "confirm")), (tom, flour, ("cancel",)), (inn, mixer, ("quote", "confirm")):
        order("sale.sale", who, goods, 2.0, *clicks)
    for goods, clicks in (flour, ()), (mixer, ("quote",)), (flour, ("quote", "confirm")):
        order("purchase.purchase", mill, goods, 6.0, *clicks)
    second = get("stock.shipment.out").find([])[-1]
    for click in "assign_force", "pick", "pack":
        second.click(click)
    make("stock.shipment.in", supplier=mill)
    move = get("account.move")(journal=cash, date=today, description="Till of Monday")
    move.lines.new(account=accounts["cash"], debit=D(80))
    move.lines.new(account=accounts["revenue"], credit=D(80))
    move.save()
    for debit, credit in (D(70), D(0)), (D(0), D(70)):  # two lines to reconcile
        move = get("account.move")(journal=cash, date=today, description="By hand")
        move.lines.new(account=accounts["receivable"], party=tom, debit=debit, credit=credit)
        move.lines.new(account=accounts["cash"], debit=credit, credit=debit)
        move.click("post")
    journal = make("account.statement.journal", name="North Bank", journal=one("account.journal", ("code", "=", "STA")), account=accounts["cash"], validation="balance")
    for name, amount in ("Week 1", D(90)), ("Week 2", D(60)):
        made = make("account.statement", [{"number": "1", "date": today, "amount": amount, "party": inn, "account": accounts["receivable"]}], name=name, journal=journal,
                    start_balance=D(0), end_balance=amount, date=today)
        if name == "Week 1":
            made.click("validate_statement")
    everything = [g.name for g in get("res.group").find([])]
    for login, name, groups in ("anna", "Anna Berg", everything), ("bob", "Bob Stone", ["Sales"]), ("eve", "Eve Ray", ["Sales"]):
        user = get("res.user")(name=name, login=login, email=f"{login}@example.com", password="secret-9-word")
        for group in groups:
            user.groups.append(one("res.group", ("name", "=", group)))
        user.companies.append(one("company.company"))
        user.company = one("company.company")
        user.save()
    for party_, text in (ida, "Likes rye"), (mill, "Closed on Fridays"):
        make("ir.note", resource=party_, message=text)
        make("ir.attachment", resource=party_, name="contract.txt", data=b"The contract", type="data")
    make("sale.opportunity", party=ida, description="A second oven", amount=D(900))


def serve():
    mail = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Mail)
    mail.daemon_threads = True
    configure(mail.server_address[1])
    from trytond.application import app as tryton
    from werkzeug.serving import run_simple

    threading.Thread(target=mail.serve_forever, daemon=True).start()
    run_simple("127.0.0.1", port, tryton, threaded=True)


{"seed": seed, "serve": serve}[sys.argv[1]]()
