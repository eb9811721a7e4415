# Lays out a wiki with three users and a few pages in STATE/wiki.
deb="$APP/deb"
mkdir wiki
cp -r "$deb/usr/share/dokuwiki/." wiki
rm wiki/lib/plugins wiki/lib/tpl wiki/.htaccess
cp -r "$deb/var/lib/dokuwiki/lib/plugins" "$deb/var/lib/dokuwiki/lib/tpl" wiki/lib
cp -r "$deb/var/lib/dokuwiki/data" wiki/data
rm -rf wiki/data/pages/* wiki/lib/plugins/extension wiki/lib/plugins/popularity wiki/lib/plugins/testing
mkdir wiki/conf
find "$deb/etc/dokuwiki" -type f -exec cp '{}' wiki/conf ';'
rm -f wiki/conf/*.dist wiki/conf/mysql.conf.php.example
grep -rlE '/usr/share/(php|javascript)' wiki --include='*.php' --include='*.inc' | xargs sed -i -E "s#'/usr/share/(php|javascript)#'$deb/usr/share/\1#g"
cat >prepend.php <<'P'
<?php
define('DOKU_MAIN_CONF', getenv('STATE') . '/wiki/conf/');
P
cat >wiki/conf/local.php <<'P'
<?php
$conf['savedir'] = getenv('STATE') . '/wiki/data';
$conf['title'] = 'House wiki';
$conf['useacl'] = 1;
$conf['superuser'] = '@admin';
$conf['disableactions'] = '';
$conf['updatecheck'] = 0;
P
hash=$(php -r 'echo password_hash("secret-word", PASSWORD_BCRYPT, ["cost" => 4]);')
{
	echo "admin:$hash:Ada Boss:ada@example.test:admin,user"
	echo "ida:$hash:Ida Lind:ida@example.test:user"
	echo "tom:$hash:Tom Berg:tom@example.test:user"
} >wiki/conf/users.auth.php
printf '*\t@ALL\t1\n*\t@user\t8\nstaff:*\t@ALL\t0\n' >wiki/conf/acl.auth.php
mkdir wiki/data/pages/staff
printf '====== Start ======\n\nWelcome to the house. See [[handbook]] and [[staff:wages]].\n' >wiki/data/pages/start.txt
printf '====== Handbook ======\n\nHow the house works.\n\n===== Heating =====\n\nLeave it on.\n\n===== Windows =====\n\nKeep them shut.\n' >wiki/data/pages/handbook.txt
printf '====== Wages ======\n\nEvery month.\n' >wiki/data/pages/staff/wages.txt
printf 'a picture that is none\n' >wiki/data/media/plan.txt
