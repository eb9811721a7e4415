# What the Django sites of one file share: their settings, and a main program whose
# arguments are those of manage.py, or "seed", which fills the database.
import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line

state = os.environ["STATE"]


def configure(apps, *, admin="django.contrib.admin", locale=(), middleware=(), processors=(), dirs=(), **more):
    settings.configure(
        DEBUG=True, SECRET_KEY="not one", ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"], USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(state, "db.sqlite3")}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField", STATIC_URL="/static/",
        MEDIA_URL="/media/", MEDIA_ROOT=os.path.join(state, "media"),
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        INSTALLED_APPS=[
            admin, "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
            "django.contrib.messages", "django.contrib.staticfiles", *apps,
        ],
        MIDDLEWARE=[
            "django.contrib.sessions.middleware.SessionMiddleware", *locale, "django.middleware.common.CommonMiddleware",
            "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
            "django.contrib.messages.middleware.MessageMiddleware", *middleware,
        ],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": list(dirs), "APP_DIRS": True,
            "OPTIONS": {"context_processors": [
                "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages", *processors,
            ]},
        }],
        **more,
    )


def main(seed, urls):
    """urls gives the site's own addresses, once Django is set up."""
    import __main__
    import django

    __main__.urlpatterns = []
    django.setup()
    from django.conf.urls.static import static
    from django.contrib import admin
    from django.contrib.staticfiles.urls import staticfiles_urlpatterns
    from django.urls import path

    if sys.argv[1:] == ["seed"]:
        execute_from_command_line(["manage.py", "migrate", "-v0"])
        seed()
        return
    __main__.urlpatterns += [path("admin/", admin.site.urls), *urls(), *staticfiles_urlpatterns(), *static(settings.MEDIA_URL, document_root=settings.MEDIA_ROOT)]
    execute_from_command_line(["manage.py", *sys.argv[1:]])
