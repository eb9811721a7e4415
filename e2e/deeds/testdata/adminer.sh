# Lays out Adminer and a database of a shop in STATE/www.
mkdir www
cat >www/index.php <<P
<?php
function adminer_object() {
	foreach (["plugin", "login-password-less", "version-noverify"] as \$name) include_once "$APP/deb/usr/share/adminer/plugins/\$name.php";
	return new AdminerPlugin([new AdminerLoginPasswordLess('$(php -r 'echo password_hash("secret-word", PASSWORD_BCRYPT, ["cost" => 4]);')'), new AdminerVersionNoverify]);
}
include "$APP/deb/usr/share/adminer/adminer.php";
P
python3 - <<'P'
import sqlite3
db = sqlite3.connect("www/shop.db")
db.executescript("""
create table customers (id integer primary key, name text not null, email text, role text default 'buyer');
create table orders (id integer primary key, customer_id integer references customers (id), total real, status text);
create table notes (id integer primary key, body text);
create table audit (id integer primary key autoincrement, line text);
create view open_orders as select * from orders where status = 'open';
create index order_status on orders (status);
create trigger on_delete after delete on orders begin insert into audit (line) values ('deleted ' || old.id); end;
insert into customers (name, email, role) values ('Ida Lind', 'ida@example.test', 'admin'), ('Tom Becker', 'tom@example.test', 'buyer'), ('Mei Chen', 'mei@example.test', 'buyer');
insert into orders (customer_id, total, status) values (1, 41.5, 'open'), (2, 99, 'paid'), (3, 12.25, 'open');
insert into notes (body) values ('Delete the old list'), ('Call Tom');
""")
db.close()
P
