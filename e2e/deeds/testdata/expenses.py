# The expenses that people share. The argument is seed, serve or state.
import datetime
import glob
import json
import os
import sqlite3
import sys

import mailserver

state, doing = os.environ["STATE"], sys.argv[1]

if doing == "state":
    db = sqlite3.connect("file:money.db?mode=ro", uri=True, timeout=10)
    all_of = {"mails": len(glob.glob("mail/*"))}
    for (table,) in db.execute("select name from sqlite_master where type = 'table'").fetchall():
        all_of[table] = sorted(map(str, db.execute(f'select * from "{table}"')))
    print(json.dumps(all_of))
    sys.exit()

os.makedirs("mail", exist_ok=True)
import email_validator
from werkzeug.security import generate_password_hash

email_validator.TEST_ENVIRONMENT = True  # addresses that end in .test, unasked of the net
word = generate_password_hash("Secret-9-word", method="pbkdf2:sha256:1000")


class Settings:
    SQLALCHEMY_DATABASE_URI = f"sqlite:///{state}/money.db"
    SECRET_KEY = "a-key-of-its-own"
    SESSION_COOKIE_SECURE = False
    ACTIVATE_ADMIN_DASHBOARD = True
    ADMIN_PASSWORD = word
    MAIL_PORT = mailserver.open_port() if doing == "serve" else 9


from ihatemoney.currency_convertor import CurrencyConverter
from ihatemoney.models import Bill, Person, Project, db
from ihatemoney.run import create_app

CurrencyConverter.get_rates = lambda self: {self.no_currency: 1.0}
app = create_app(Settings, instance_path=state)
if doing == "serve":
    app.run(host="127.0.0.1", port=int(os.environ["PORT"]), threaded=True)
    sys.exit()

with app.app_context():
    for name, title, people in ("flat", "Flat share", ["Ida", "Jon", "Mei", "Tom", "Eva"]), ("trip", "Trip to Oslo", ["Ida", "Ben"]):
        db.session.add(Project(id=name, name=title, password=word, contact_email="ida@example.test", default_currency="XXX"))
        db.session.flush()
        of = {p: Person(name=p, project_id=name, weight=1) for p in people}
        db.session.add_all(of.values())
        db.session.flush()
        bills = [
            ("Rent of November", 900, "Ida", ["Ida", "Jon", "Mei", "Tom"], "https://example.test/rent"), ("Power", 84.5, "Jon", ["Ida", "Jon", "Mei", "Tom"], ""),
            ("Delete old boiler", 120, "Tom", ["Ida", "Tom"], ""), ("Paid back", 40, "Mei", ["Ida"], ""),
        ] if name == "flat" else [("Train", 220, "Ben", ["Ida", "Ben"], "")]
        for n, (what, amount, payer, owers, link) in enumerate(bills, 1):
            db.session.add(Bill(amount, datetime.date(2026, 10, n), link, "XXX", [of[o] for o in owers], of[payer].id, "XXX", what, "Reimbursement" if what == "Paid back" else "Expense"))
        if name == "flat":
            db.session.flush()
            of["Mei"].activated = False
    db.session.commit()
os._exit(0)
