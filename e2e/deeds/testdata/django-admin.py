# A Django project of one file, with the admin over Django's own apps. Arguments are
# those of manage.py; "seed" fills the database.
import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line

settings.configure(
    DEBUG=True, SECRET_KEY="not one", ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"], SITE_ID=1, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(os.environ["STATE"], "db.sqlite3")}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", STATIC_URL="/static/",
    INSTALLED_APPS=[
        "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
        "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.sites", "django.contrib.flatpages", "django.contrib.redirects",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
        ]},
    }],
)

urlpatterns = []


def seed():
    from django.contrib.auth.models import Group, User
    from django.contrib.flatpages.models import FlatPage
    from django.contrib.redirects.models import Redirect

    User.objects.create_superuser("admin", "admin@example.test", "secret-9-word")
    editors, staff = Group.objects.create(name="Editors"), Group.objects.create(name="Support staff")
    for i, (name, first, last) in enumerate([("ida", "Ida", "Lind"), ("tom", "Tom", "Becker"), ("mei", "Mei", "Chen")]):
        u = User.objects.create_user(name, name + "@example.test", "secret-9-word", first_name=first, last_name=last, is_staff=i == 0)
        u.groups.add(editors if i else staff)
    for url, title in [("/about/", "About us"), ("/terms/", "Terms of sale"), ("/jobs/", "Jobs")]:
        FlatPage.objects.create(url=url, title=title, content="Text of " + title).sites.add(1)
    Redirect.objects.create(site_id=1, old_path="/old/", new_path="/about/")
    Redirect.objects.create(site_id=1, old_path="/shop/", new_path="/terms/")


if __name__ == "__main__":
    import django

    django.setup()
    from django.contrib import admin
    from django.urls import path

    urlpatterns.append(path("admin/", admin.site.urls))
    if sys.argv[1:] == ["seed"]:
        execute_from_command_line(["manage.py", "migrate", "-v0"])
        seed()
    else:
        execute_from_command_line(["manage.py"] + sys.argv[1:])
