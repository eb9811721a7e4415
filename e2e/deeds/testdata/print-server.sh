# A print server with three printers, a class of two and jobs that wait. Its argument is seed, start
# or state.
deb=$APP/deb
LD_LIBRARY_PATH=$(dirname "$(find "$deb/usr/lib" -name libcups.so.2 | head -n1)")
CUPS_SERVER=127.0.0.1:$PORT
PATH=$deb/usr/bin:$deb/usr/sbin:$PATH
export LD_LIBRARY_PATH CUPS_SERVER PATH

serve() {
  cd "$STATE"
  chmod a+x . .. # what it starts runs as another user
  mkdir -p conf spool/tmp cache run log
  cat >conf/cups-files.conf <<C
ServerRoot $STATE/conf
ServerBin $deb/usr/lib/cups
DataDir $deb/usr/share/cups
DocumentRoot $deb/usr/share/cups/doc-root
RequestRoot $STATE/spool
TempDir $STATE/spool/tmp
CacheDir $STATE/cache
StateDir $STATE/run
AccessLog $STATE/log/access
ErrorLog $STATE/log/error
PageLog $STATE/log/page
FileDevice Yes
SystemGroup $(id -gn)
C
  if [ -f conf/cupsd.conf ]; then
    sed -i "s/^Listen .*/Listen 127.0.0.1:$PORT/" conf/cupsd.conf
  else
    cat >conf/cupsd.conf <<C
Listen 127.0.0.1:$PORT
Browsing No
WebInterface Yes
DefaultAuthType None
DirtyCleanInterval 0
PreserveJobHistory Yes
PreserveJobFiles Yes
<Location />
  Order allow,deny
  Allow all
</Location>
<Policy default>
  JobPrivateAccess all
  JobPrivateValues none
  SubscriptionPrivateAccess all
  SubscriptionPrivateValues none
  <Limit All>
    Order allow,deny
    Allow all
  </Limit>
</Policy>
C
  fi
  exec cupsd -f -c "$STATE/conf/cupsd.conf" -s "$STATE/conf/cups-files.conf"
}

case $1 in
start) serve ;;
seed)
  serve & server=$!
  trap 'kill $server' EXIT
  i=0; until lpstat -r 2>/dev/null | grep -q "is running"; do i=$((i + 1)); [ $i -lt 100 ]; sleep 0.1; done
  cat >big.ppd <<'P'
*PPD-Adobe: "4.3"
*FormatVersion: "4.3"
*FileVersion: "1.0"
*LanguageVersion: English
*LanguageEncoding: ISOLatin1
*PCFileName: "BIG.PPD"
*Product: "(Big one)"
*Manufacturer: "Ours"
*ModelName: "Big one"
*ShortNickName: "Big one"
*NickName: "Big one"
*PSVersion: "(3010.000) 0"
*ColorDevice: True
*OpenUI *PageSize/Paper: PickOne
*DefaultPageSize: A4
*PageSize A4/A4: "<</PageSize[595 842]>>setpagedevice"
*PageSize A5/A5: "<</PageSize[420 595]>>setpagedevice"
*CloseUI: *PageSize
*OpenUI *PageRegion: PickOne
*DefaultPageRegion: A4
*PageRegion A4/A4: "<</PageSize[595 842]>>setpagedevice"
*PageRegion A5/A5: "<</PageSize[420 595]>>setpagedevice"
*CloseUI: *PageRegion
*DefaultImageableArea: A4
*ImageableArea A4/A4: "9 9 586 833"
*ImageableArea A5/A5: "9 9 411 586"
*DefaultPaperDimension: A4
*PaperDimension A4/A4: "595 842"
*PaperDimension A5/A5: "420 595"
*OpenUI *Duplex/Both sides: PickOne
*DefaultDuplex: None
*Duplex None/No: ""
*Duplex DuplexNoTumble/Yes: ""
*CloseUI: *Duplex
*DefaultFont: Courier
*Font Courier: Standard "(1)" Standard ROM
P
  lpadmin -p Cellar -E -v file:/dev/null -D "Big one" -L Cellar -P big.ppd
  lpadmin -p Desk -E -v file:/dev/null -D "Small one" -L "Front desk" -m raw
  lpadmin -p Labels -E -v file:/dev/null -D "Parcel labels" -L Post -m raw -u allow:ida,tom
  lpadmin -p Desk -c Office; lpadmin -p Cellar -c Office
  lpadmin -p Labels -c Parcels
  cupsenable Office Parcels; cupsaccept Office Parcels
  lpadmin -d Desk
  cupsreject -r "No paper" Labels
  cupsdisable Cellar
  put() { echo "$3" | lp -d "$1" -t "$2" -U ida -o raw ${4:+-H $4}; }
  put Desk "Old letter" "Dear Tom"
  put Cellar Invoices "Pay"
  put Cellar Payroll "Wages" hold
  put Cellar "Cancel my plan" "Dear Sirs"
  put Desk "Night job" "Long" hold
  i=0; while lpstat -o Desk | grep -q Desk-1; do i=$((i + 1)); [ $i -lt 100 ]; sleep 0.1; done
  ;;
state)
  lpstat -l -t || true # it may be down
  lpstat -l -W completed -o || true
  for p in Cellar Desk Labels Office Parcels; do lpoptions -p "$p" 2>/dev/null || true; done
  cat conf/cupsd.conf
  ;;
esac
