# A library of books for several readers. The argument is seed, serve or state.
import glob
import json
import os
import sqlite3
import sys
import urllib.request
import zipfile

import mailserver

state, port, doing = os.environ["STATE"], int(os.environ["PORT"]), sys.argv[1]
os.environ.update(CALIBRE_DBPATH=state, CACHE_DIR=state + "/cache")

if doing == "state":
    all_of = {"up": True, "mails": len(glob.glob("mail/*")), "files": sorted(glob.glob("books/*/*/*"))}
    for name in "app.db", "books/metadata.db":
        db = sqlite3.connect(f"file:{name}?mode=ro", uri=True, timeout=10)
        db.text_factory = lambda b: b.decode("utf-8", "replace")
        for (table,) in db.execute("select name from sqlite_master where type = 'table'").fetchall():
            all_of[table] = sorted(map(str, db.execute(f'select * from "{table}"')))
    try:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(f"http://127.0.0.1:{port}/login", timeout=5)
    except OSError:
        all_of["up"] = False
    print(json.dumps(all_of))
    sys.exit()

from calibreweb import __main__  # it puts cps on the path

sys.argv = ["cps", "-p", state + "/app.db", "-i", "127.0.0.1", "-o", state + "/log"]

if doing == "serve":
    with sqlite3.connect("app.db") as db:
        db.execute("update settings set config_calibre_dir = ?, config_port = ?, mail_port = ?", (state + "/books", port, mailserver.open_port()))
    __main__.main()

from cps import constants, create_app, db, ub
from sqlalchemy import Float, create_engine
from werkzeug.security import generate_password_hash

os.makedirs("books")
os.makedirs("mail")
db.Books.__table__.c.series_index.type = Float()  # as the program has it that fills such libraries
plain = create_engine("sqlite:///books/metadata.db", execution_options={"schema_translate_map": {"calibre": None}})
db.Base.metadata.create_all(plain)
books = sqlite3.connect("books/metadata.db")
for n, (title, who, tag, kinds) in enumerate([
    ("Cutting hedges", "Ida Lind", "Garden", ["EPUB", "TXT"]), ("Delete nothing", "Tom Becker", "Office", ["TXT"]), ("Old apple trees", "Ida Lind", "Garden", ["EPUB"]),
    ("How to send letters", "Mei Chen", "Office", ["TXT"]), ("Payments of old", "Jon Sun", "History", ["TXT"]),
], 1):
    path = f"{who}/{title} ({n})"
    os.makedirs("books/" + path)
    row = lambda table, **values: books.execute(f'insert or ignore into {table} ({", ".join(values)}) values ({", ".join("?" * len(values))})', list(values.values()))
    row("books", id=n, title=title, sort=title, author_sort=who, path=path, series_index=1.0, has_cover=0, uuid=f"book-{n}", flags=1,
        timestamp="2026-01-0%d 00:00:00.000000" % n, pubdate="0101-01-01 00:00:00.000000", last_modified="2026-01-0%d 00:00:00.000000" % n)
    row("authors", name=who, sort=who, link="")
    row("tags", name=tag)
    books.execute("insert into books_authors_link (book, author) select ?, id from authors where name = ?", (n, who))
    books.execute("insert into books_tags_link (book, tag) select ?, id from tags where name = ?", (n, tag))
    for kind in kinds:
        name = f"{title} - {who}"
        file = f"books/{path}/{name}.{kind.lower()}"
        if kind == "TXT":
            with open(file, "w") as f:
                f.write("Once upon a time.\n" * 20)
        else:
            with zipfile.ZipFile(file, "w") as z:
                z.writestr("mimetype", "application/epub+zip")
                z.writestr("META-INF/container.xml", '<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="c.opf" media-type="application/oebps-package+xml"/></rootfiles></container>')
                z.writestr("c.opf", f'<package xmlns="http://www.idpf.org/2007/opf" version="2.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>')
                z.writestr("a.xhtml", '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>Once upon a time.</p></body></html>')
        row("data", book=n, format=kind, uncompressed_size=os.path.getsize(file), name=name)
row("identifiers", book=1, type="isbn", val="9780000000001")
row("library_id", uuid="a-library")
books.commit()

create_app()
word = generate_password_hash("Secret-9-word", method="pbkdf2:sha256:1000")
admin = ub.session.query(ub.User).filter(ub.User.name == "admin").one()
admin.password, admin.email, admin.kindle_mail = word, "admin@example.test", "reader@example.test"
reader = constants.ROLE_DOWNLOAD | constants.ROLE_VIEWER | constants.ROLE_PASSWD
for name in "Ida", "Tom":
    ub.session.add(ub.User(
        name=name, email=name.lower() + "@example.test", password=word, role=reader, locale="en", default_language="all",
        sidebar_view=constants.ADMIN_USER_SIDEBAR, kindle_mail="", denied_tags="", allowed_tags="", denied_column_value="", allowed_column_value="",
    ))
for name, public, of in ("Staff picks", 1, [1, 2, 3]), ("To read", 0, [4]):
    shelf = ub.Shelf(name=name, is_public=public, user_id=admin.id)
    for i, book in enumerate(of):
        shelf.books.append(ub.BookShelf(book_id=book, order=i))
    ub.session.add(shelf)
ub.session.add(ub.Registration(domain="%.spam.test", allow=0))
ub.session.commit()
with sqlite3.connect("app.db") as app:
    app.execute(
        "update settings set config_calibre_dir = ?, config_uploading = 1, config_public_reg = 1, config_ratelimiter = 0, config_default_role = ?,"
        " mail_server = '127.0.0.1', mail_login = '', mail_from = 'library@example.test', mail_use_ssl = 0", (state + "/books", reader))
os._exit(0)
