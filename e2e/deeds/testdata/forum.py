# A forum on django-machina. Its arguments are those of django_site.py.
from django.utils import encoding
from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR

import django_site

encoding.smart_text = encoding.smart_str  # as the search, which is older than Django 4, has it
django_site.configure(
    ["django.contrib.humanize", "mptt", "haystack", "widget_tweaks", "machina"] + ["machina.apps." + a for a in [
        "forum", "forum_conversation", "forum_conversation.forum_attachments", "forum_conversation.forum_polls",
        "forum_feeds", "forum_moderation", "forum_search", "forum_tracking", "forum_member", "forum_permission",
    ]],
    admin="django.contrib.admin.apps.SimpleAdminConfig",
    middleware=["machina.apps.forum_permission.middleware.ForumPermissionMiddleware"],
    processors=["machina.core.context_processors.metadata"],
    dirs=[MACHINA_MAIN_TEMPLATE_DIR], STATICFILES_DIRS=[MACHINA_MAIN_STATIC_DIR], LOGIN_URL="/admin/login/",
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    CACHES={n: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": n} for n in ["default", "machina_attachments"]},
)


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


def urls():
    from django.urls import include, path

    return [path("", include("machina.urls"))]


if __name__ == "__main__":
    django_site.main(seed, urls)
