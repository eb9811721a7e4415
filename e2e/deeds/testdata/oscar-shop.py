# A shop of one file on django-oscar, with its dashboard. Arguments are those of
# manage.py; "seed" fills the database.
import os
import sys
from decimal import Decimal as D

import oscar
from django.conf import settings
from django.core.management import execute_from_command_line
from oscar import defaults


class NoMigrations:
    """Tables are made at once, as the models are now."""

    def __contains__(self, app):
        return True

    def __getitem__(self, app):
        return None


settings.configure(
    MIGRATION_MODULES=NoMigrations(),
    **{k: v for k, v in vars(defaults).items() if k.startswith("OSCAR_") and k not in ("OSCAR_SHOP_NAME", "OSCAR_INITIAL_ORDER_STATUS", "OSCAR_INITIAL_LINE_STATUS", "OSCAR_ORDER_STATUS_PIPELINE", "OSCAR_LINE_STATUS_PIPELINE")},
    DEBUG=True, SECRET_KEY="not one", ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"], SITE_ID=1, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(os.environ["STATE"], "db.sqlite3"), "ATOMIC_REQUESTS": True}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", STATIC_URL="/static/",
    MEDIA_URL="/media/", MEDIA_ROOT=os.path.join(os.environ["STATE"], "media"),
    OSCAR_SHOP_NAME="Tea house", OSCAR_INITIAL_ORDER_STATUS="Pending", OSCAR_INITIAL_LINE_STATUS="Pending",
    OSCAR_ORDER_STATUS_PIPELINE={"Pending": ("Being processed", "Cancelled"), "Being processed": ("Complete", "Cancelled"), "Cancelled": (), "Complete": ()},
    OSCAR_LINE_STATUS_PIPELINE={"Pending": ("Shipped", "Cancelled"), "Shipped": (), "Cancelled": ()},
    EMAIL_BACKEND="django.core.mail.backends.filebased.EmailBackend", EMAIL_FILE_PATH=os.path.join(os.environ["STATE"], "mail"),
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    AUTHENTICATION_BACKENDS=["oscar.apps.customer.auth_backends.EmailBackend", "django.contrib.auth.backends.ModelBackend"],
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    INSTALLED_APPS=oscar.INSTALLED_APPS + ["sorl.thumbnail"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware", "oscar.apps.basket.middleware.BasketMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages", "oscar.apps.search.context_processors.search_form",
            "oscar.apps.checkout.context_processors.checkout", "oscar.apps.communication.notifications.context_processors.notifications",
            "oscar.core.context_processors.metadata",
        ]},
    }],
)

urlpatterns = []


def seed():
    from django.contrib.auth.models import User
    from django.contrib.flatpages.models import FlatPage
    from oscar.core.loading import get_class, get_model
    from oscar.test import factories as f
    from PIL import Image

    User.objects.create_superuser("admin", "admin@example.test", "secret-9-word")
    ida, tom = [User.objects.create_user(n, n + "@example.test", "secret-9-word", first_name=n.title(), last_name=l) for n, l in [("ida", "Lind"), ("tom", "Becker")]]
    country = get_model("address", "Country").objects.create(iso_3166_1_a2="SE", iso_3166_1_a3="SWE", printable_name="Sweden", name="Sweden", is_shipping_country=True)
    kind = get_model("catalogue", "ProductClass").objects.create(name="Tea", requires_shipping=True, track_stock=True)
    get_model("catalogue", "ProductClass").objects.create(name="Mug", requires_shipping=True, track_stock=True)
    Category = get_model("catalogue", "Category")
    black, green = Category.add_root(name="Black tea"), Category.add_root(name="Green tea")
    partner = get_model("partner", "Partner").objects.create(name="Harbour store", code="harbour")
    get_model("partner", "Partner").objects.create(name="Hill store", code="hill")
    get_model("partner", "PartnerAddress").objects.create(partner=partner, line1="Quay 1", line4="Malmö", country=country)
    products = []
    for title, price, category in [("Assam", "12.00", black), ("Darjeeling", "18.50", black), ("Sencha", "15.00", green), ("Matcha", "29.00", green)]:
        p = get_model("catalogue", "Product").objects.create(product_class=kind, title=title, upc=title.lower(), is_public=title != "Matcha")
        p.categories.add(category)
        f.create_stockrecord(p, D(price), partner_sku=title.lower(), num_in_stock=20).partner
        p.stockrecords.update(partner=partner)
        products.append(p)
    address = get_model("order", "ShippingAddress")
    for number, (user, items) in enumerate([(ida, products[:1]), (tom, products[1:3]), (ida, products[2:])]):
        basket = f.create_basket(empty=True)
        basket.owner = user
        basket.save()
        for p in items:
            basket.add_product(p, quantity=2)
        at = address.objects.create(first_name=user.first_name, last_name=user.last_name, line1="Quay 4", line4="Malmö", postcode="21120", country=country)
        f.create_order(number=str(1001 + number), basket=basket, user=user, shipping_address=at)
    for title, score, body, status in [("Too strong", 2, "Keeps me awake.", 0), ("Fine", 5, "A fine tea.", 0), ("Good", 4, "Good in the morning.", 1)]:
        get_model("reviews", "ProductReview").objects.create(product=products[0], user=tom if status else ida if score == 5 else None, name="guest", email="guest@example.test", title=title, score=score, body=body, status=status)
    get_model("offer", "Range").objects.create(name="All tea", includes_all_products=True)
    few = get_model("offer", "Range").objects.create(name="Summer teas", is_public=True)
    few.add_product(products[2])
    f.create_offer(name="Two for less")
    v = f.VoucherFactory()
    v.name, v.code = "Spring voucher", "SPRING"
    v.save()
    get_model("shipping", "WeightBased").objects.create(name="By weight", default_weight=D("1.0"))
    for url, title in [("/about/", "About us"), ("/terms/", "Terms of sale")]:
        FlatPage.objects.create(url=url, title=title, content="Text of " + title).sites.add(1)
    for line, postcode in [("Quay 4", "21120"), ("Hill road 9", "21121")]:
        get_model("address", "UserAddress").objects.create(user=ida, first_name="Ida", last_name="Lind", line1=line, line4="Malmö", postcode=postcode, country=country, is_default_for_shipping=line == "Quay 4")
    wishes = get_model("wishlists", "WishList").objects.create(owner=ida, name="For the office", visibility="Private")
    wishes.add(products[2])
    for subject in ["Your order was sent", "Tea of the month"]:
        get_model("communication", "Notification").objects.create(recipient=ida, subject=subject, body="Text of it.")
    get_model("customer", "ProductAlert").objects.create(user=ida, product=products[1], status="Active")
    basket = get_model("basket", "Basket").objects.create(owner=ida)
    basket.strategy = get_class("partner.strategy", "Selector")().strategy()
    basket.add_product(products[0], quantity=2)
    os.makedirs(settings.MEDIA_ROOT)
    Image.new("RGB", (8, 8)).save(os.path.join(settings.MEDIA_ROOT, settings.OSCAR_MISSING_IMAGE_URL))
    get_model("communication", "CommunicationEventType").objects.create(code="ORDER_PLACED", name="Order placed", category="Order related", email_subject_template="Your order", email_body_template="Thank you.", email_body_html_template="<p>Thank you.</p>")


if __name__ == "__main__":
    import django

    django.setup()
    from django.apps import apps
    from django.contrib.staticfiles.urls import staticfiles_urlpatterns
    from django.urls import include, path

    urlpatterns += [path("i18n/", include("django.conf.urls.i18n"))]
    if sys.argv[1:] == ["seed"]:
        execute_from_command_line(["manage.py", "migrate", "-v0", "--run-syncdb"])
        seed()
    else:
        urlpatterns += [path("", include(apps.get_app_config("oscar").urls[0]))]
        urlpatterns += staticfiles_urlpatterns()
        execute_from_command_line(["manage.py"] + sys.argv[1:])
