# A forum of one file on django-machina. Arguments are those of manage.py; "seed" fills
# the database.
import os
import sys

from django.conf import settings
from django.core.management import execute_from_command_line
from django.utils import encoding
from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR

encoding.smart_text = encoding.smart_str  # as the search, which is older than Django 4, has it
state = os.environ["STATE"]
settings.configure(
    DEBUG=True, SECRET_KEY="not one", ROOT_URLCONF="__main__", ALLOWED_HOSTS=["*"], USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(state, "db.sqlite3")}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField", STATIC_URL="/static/", STATICFILES_DIRS=[MACHINA_MAIN_STATIC_DIR],
    MEDIA_URL="/media/", MEDIA_ROOT=os.path.join(state, "media"), LOGIN_URL="/admin/login/",
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    CACHES={n: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": n} for n in ["default", "machina_attachments"]},
    INSTALLED_APPS=[
        "django.contrib.admin.apps.SimpleAdminConfig", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
        "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.humanize", "mptt", "haystack", "widget_tweaks", "machina",
    ] + ["machina.apps." + a for a in [
        "forum", "forum_conversation", "forum_conversation.forum_attachments", "forum_conversation.forum_polls",
        "forum_feeds", "forum_moderation", "forum_search", "forum_tracking", "forum_member", "forum_permission",
    ]],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware", "machina.apps.forum_permission.middleware.ForumPermissionMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": [MACHINA_MAIN_TEMPLATE_DIR], "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages", "machina.core.context_processors.metadata",
        ]},
    }],
)

urlpatterns = []


def seed():
    from django.contrib.auth.models import User
    from machina.core.db.models import get_model

    admin = User.objects.create_superuser("admin", "admin@example.test", "secret-9-word")
    ida, tom = [User.objects.create_user(n, n + "@example.test", "secret-9-word") for n in ["ida", "tom"]]
    for u in [admin, ida, tom]:
        get_model("forum_member", "ForumProfile").objects.get_or_create(user=u)
    Forum, Topic, Post = get_model("forum", "Forum"), get_model("forum_conversation", "Topic"), get_model("forum_conversation", "Post")
    house, garden = [Forum.objects.create(name=n, type=Forum.FORUM_POST, description="All about the " + n.lower()) for n in ["House", "Garden"]]
    for forum, who, subject, status, approved, posts in [
        (house, ida, "The heating is cold", 0, True, ["It is cold.", "Here too."]),
        (house, tom, "How to remove paint", 0, True, ["Does anybody know?", "With patience.", "Don't."]),
        (house, admin, "Rules of the house", 1, True, ["Be kind."]),
        (garden, ida, "When to cut the hedge", 0, True, ["In autumn?"]),
        (garden, tom, "Cheap watches", 0, False, ["Buy them here."]),
    ]:
        t = Topic.objects.create(forum=forum, poster=who, subject=subject, type=0, status=status, approved=approved)
        for i, text in enumerate(posts):
            Post.objects.create(topic=t, poster=[who, tom, admin][i], subject=subject, content=text, approved=approved)
    Post.objects.create(topic=Topic.objects.get(pk=1), poster=tom, subject="Re", content="Wear a hat.", approved=False)
    poll = get_model("forum_polls", "TopicPoll").objects.create(topic=Topic.objects.get(pk=4), question="When do we cut it?", max_options=1, user_changes=False)
    for text in ["In spring", "In autumn"]:
        get_model("forum_polls", "TopicPollOption").objects.create(poll=poll, text=text)
    Topic.objects.get(pk=2).subscribers.add(admin)


if __name__ == "__main__":
    import django

    django.setup()
    from django.conf.urls.static import static
    from django.contrib import admin
    from django.contrib.staticfiles.urls import staticfiles_urlpatterns
    from django.urls import include, path

    if sys.argv[1:] == ["seed"]:
        execute_from_command_line(["manage.py", "migrate", "-v0"])
        seed()
    else:
        urlpatterns += [path("admin/", admin.site.urls), path("", include("machina.urls"))]
        urlpatterns += staticfiles_urlpatterns() + static(settings.MEDIA_URL, document_root=settings.MEDIA_ROOT)
        execute_from_command_line(["manage.py"] + sys.argv[1:])
