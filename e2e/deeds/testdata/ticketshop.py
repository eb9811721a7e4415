# A ticket shop on pretix, with its organiser's back office. The argument is seed or serve.
import datetime as dt
import os
import sys
from decimal import Decimal as D

state, port = os.environ["STATE"], int(os.environ["PORT"])
os.environ.update(
    DJANGO_SETTINGS_MODULE="pretix.settings", DATA_DIR=os.path.join(state, "data"), PRETIX_PRETIX_URL=os.environ["URL"],
    PRETIX_PRETIX_INSTANCE_NAME="Tickets", PRETIX_DJANGO_SECRET="not one", PRETIX_CONFIG_FILE=os.path.join(state, "pretix.cfg"),
)

import django
from pretix import settings


class NoMigrations:
    """Tables are made at once, as the models are now."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


settings.MIGRATION_MODULES = NoMigrations()
settings.EMAIL_BACKEND = settings.EMAIL_CUSTOM_SMTP_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
django.setup()


def seed():
    from django.core.management import call_command
    from django.db import transaction
    from django.utils.timezone import now
    from django_scopes import scope
    from pretix.api.models import WebHook
    from pretix.base import models as m
    from pretix.base.models.mail import OutgoingMail
    from pretix.base.models.orders import CancellationRequest
    from pretix.base.services.invoices import generate_invoice

    call_command("migrate", verbosity=0, run_syncdb=True)
    anna, tom, mei = [
        m.User.objects.create_user(f"{n.lower()}@example.test", "secret-9-word-12", fullname=f"{n} {f}", locale="en", timezone="UTC", needs_password_change=False)
        for n, f in [("Anna", "Lind"), ("Tom", "Becker"), ("Mei", "Sato")]
    ]
    plugins = ",".join("pretix.plugins." + p for p in ["banktransfer", "manualpayment", "sendmail", "statistics", "checkinlists", "ticketoutputpdf", "badges"])
    club = m.Organizer.objects.create(name="Garden club", slug="club", plugins=plugins)
    office = m.Team.objects.create(organizer=club, name="Office", all_events=True, all_event_permissions=True, all_organizer_permissions=True)
    door = m.Team.objects.create(organizer=club, name="Door", all_events=True, limit_event_permissions={"event.orders:checkin": True})
    office.members.add(anna, mei)
    door.members.add(tom)
    m.TeamInvite.objects.create(team=door, email="new@example.test")
    m.TeamAPIToken.objects.create(team=office, name="Old website")
    with scope(organizer=club), transaction.atomic():
        web = club.sales_channels.get(identifier="web")
        day = now() + dt.timedelta(days=40)
        events = []
        for name, slug, live in [("Garden fair", "fair", True), ("Winter market", "winter", False), ("Bulb day", "bulbs", True)]:
            e = m.Event.objects.create(
                organizer=club, name=name, slug=slug, live=live, currency="EUR", date_from=day, date_to=day + dt.timedelta(hours=8),
                plugins=plugins,
            )
            e.settings.timezone, e.settings.locale, e.settings.locales, e.settings.region = "UTC", "en", ["en"], "IE"
            for key, value in {
                "contact_mail": "office@example.test", "attendee_names_asked": False, "waiting_list_enabled": True, "waiting_list_auto": False,
                "payment_banktransfer__enabled": True, "payment_banktransfer_bank_details_type": "other", "payment_banktransfer_bank_details": "Garden club, account 4711",
                "payment_banktransfer_ack": True, "invoice_generate": "user", "invoice_address_asked": True, "invoice_address_required": False, "invoice_name_required": False,
                "invoice_address_from": "Quay 1", "invoice_address_from_name": "Garden club", "cancel_allow_user": True, "cancel_allow_user_paid": True,
                "invoice_include_free": False, "payment_term_days": 14, "show_quota_left": True, "mail_attach_tickets": False, "ticket_download": True, "ticketoutput_pdf__enabled": True,
            }.items():
                e.settings.set(key, value)
            events.append(e)
        fair, winter, bulbs = events
        for e in events:
            rule = e.tax_rules.create(name="VAT", rate=D("19.00"), default=True)
            group = e.categories.create(name="Tickets", position=1)
            for i, (name, price, size) in enumerate([("Day ticket", "12.00", 100), ("Weekend ticket", "20.00", 50), ("Guided tour", "8.00", 0)]):
                item = e.items.create(name=name, default_price=D(price), category=group, position=i, admission=i < 2, personalized=False, tax_rule=rule)
                e.quotas.create(name=name, size=size).items.add(item)
            e.checkin_lists.create(name="Gate", all_products=True)
        dayticket, weekend, tour = fair.items.order_by("position")
        talk = fair.items.create(name="Stall for sellers", default_price=D("60.00"), category=dayticket.category, position=3, require_approval=True)
        fair.quotas.create(name="Stalls", size=10).items.add(talk)
        fair.questions.create(question="What do you grow?", type="S", required=False, position=1).items.add(weekend)
        for code, status, email, item, paid in [
            ("PEND1", "n", "ida@example.test", dayticket, "created"), ("PEND2", "n", "jon@example.test", weekend, "created"), ("PAID1", "p", "ida@example.test", weekend, "confirmed"),
            ("PAID2", "p", "eve@example.test", dayticket, "confirmed"), ("APPR1", "n", "sam@example.test", talk, ""), ("GONE1", "c", "lea@example.test", dayticket, "canceled"),
            ("BACK1", "p", "kim@example.test", weekend, "confirmed"),
        ]:
            o = m.Order.objects.create(
                code=code, event=fair, email=email, status=status, datetime=now() - dt.timedelta(days=2), expires=now() + dt.timedelta(days=12), total=item.default_price,
                locale="en", sales_channel=web, require_approval=item == talk, secret="secretof" + code.lower(),
            )
            p = m.OrderPosition.objects.create(order=o, item=item, price=item.default_price, positionid=1, secret=code.lower() * 4, canceled=status == "c", web_secret="webof" + code.lower())
            p._calculate_tax()
            p.save()
            if paid:
                o.payments.create(provider="banktransfer", state=paid, amount=o.total, info="{}", payment_date=now() if paid == "confirmed" else None)
            m.InvoiceAddress.objects.create(order=o, name_parts={"_scheme": "full", "full_name": email.split("@")[0].title() + " Berg"}, street="Quay 4", zipcode="21120", city="Malmö", country="SE")
            o.create_transactions()
            if code == "PAID2":
                generate_invoice(o)
            if code == "BACK1":
                CancellationRequest.objects.create(order=o, cancellation_fee=D("0.00"))
                o.refunds.create(provider="manual", state="created", source="admin", amount=D("5.00"), payment=o.payments.get(), info="{}")
        for code, tag in [("SPRING1", "spring"), ("SPRING2", "spring"), ("PRESS", "press")]:
            fair.vouchers.create(code=code, tag=tag, max_usages=5, price_mode="set", value=D("5.00"), item=dayticket)
        for name in "nia", "oli":
            fair.waitinglistentries.create(item=dayticket, email=name + "@example.test", locale="en", name_parts={"_scheme": "full", "full_name": name.title()})
        card = club.issued_gift_cards.create(currency="EUR", secret="GIFT-CARD-1")
        card.transactions.create(value=D("30.00"), acceptor=club)
        WebHook.objects.create(organizer=club, target_url="https://hook.example.test/in", enabled=True)
        m.Device.objects.create(organizer=club, name="Scanner at the gate", all_events=True, initialized=now(), api_token="t" * 64, security_profile="full")
        OutgoingMail.objects.create(organizer=club, event=fair, status="failed", to=["jon@example.test"], subject="Your tickets", body_plain="See you.", sender="office@example.test", headers={})


def serve():
    import mimetypes

    from django.core.servers.basehttp import run
    from django.core.wsgi import get_wsgi_application
    from django.utils._os import safe_join

    django_app = get_wsgi_application()

    def app(environ, start):
        """What the package brings ready-made for pages, a web server would give."""
        at = environ["PATH_INFO"]
        if not at.startswith("/static/"):
            return django_app(environ, start)
        try:
            with open(safe_join(settings.STATIC_ROOT, at.removeprefix("/static/")), "rb") as f:
                body = f.read()
        except OSError:
            start("404 Not Found", [])
            return [b""]
        start("200 OK", [("Content-Type", mimetypes.guess_type(at)[0] or "application/octet-stream"), ("Content-Length", str(len(body)))])
        return [body]

    run("127.0.0.1", port, app, threading=True)


{"seed": seed, "serve": serve}[sys.argv[1]]()
