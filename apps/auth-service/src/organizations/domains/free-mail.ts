/**
 * Domains in which anyone gets an address: no organization speaks for them. Nobody but their operators could prove them, so the
 * list is what people type most, and not complete.
 */
export const freeMail: ReadonlySet<string> = new Set(
  `
  163.com 126.com 139.com aliyun.com aol.com atomicmail.io att.net bellsouth.net bigpond.com blueyonder.co.uk bluewin.ch
  bol.com.br bredband.net bredband2.com btinternet.com btopenworld.com centrum.cz charter.net chello.nl comcast.net comhem.se
  cox.net daum.net disroot.org docomo.ne.jp duck.com earthlink.net email.com ezweb.ne.jp facebook.com fastmail.com fastmail.fm
  foxmail.com free.fr freemail.hu freenet.de frontier.com gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.fr gmx.net gmx.us
  googlemail.com googlegroups.com guerrillamail.com hanmail.net hey.com home.nl home.se hotmail.be hotmail.ca hotmail.ch
  hotmail.co.jp hotmail.co.uk hotmail.com hotmail.com.ar hotmail.com.br hotmail.de hotmail.dk hotmail.es hotmail.fi hotmail.fr
  hotmail.it hotmail.nl hotmail.no hotmail.se hushmail.com icloud.com inbox.lv interia.pl iprimus.com.au jubii.dk juno.com
  kpnmail.nl kolumbus.fi laposte.net libero.it list.ru live.at live.be live.ca live.cl live.co.uk live.com live.com.au
  live.com.mx live.com.pt live.de live.dk live.fi live.fr live.ie live.in live.it live.jp live.nl live.no live.se luukku.com
  lycos.com mac.com mail.com mail.de mail.ee mail.ru mailbox.org mailfence.com mailinator.com me.com msn.com naver.com
  nate.com netscape.net ntlworld.com o2.pl onet.pl online.de online.no op.pl optonline.net optusnet.com.au orange.fr outlook.at
  outlook.be outlook.co.id outlook.com outlook.com.ar outlook.com.au outlook.com.br outlook.cz outlook.de outlook.dk outlook.es
  outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr outlook.pt outlook.sa passport.com planet.nl
  pm.me posteo.de posteo.net proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com riseup.net rocketmail.com
  rogers.com runbox.com saunalahti.fi sapo.pt sbcglobal.net seznam.cz sfr.fr shaw.ca sina.cn sina.com sky.com sohu.com
  spray.se swipnet.se sympatico.ca t-online.de talktalk.net tele2.se telenet.be telia.com telus.net terra.com.br tin.it
  tiscali.co.uk tiscali.it tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net uol.com.br verizon.net videotron.ca
  virgilio.it virginmedia.com vodafone.it walla.co.il wanadoo.fr web.de windowslive.com wp.pl xs4all.nl xtra.co.nz yahoo.at
  yahoo.be yahoo.ca yahoo.co.id yahoo.co.in yahoo.co.jp yahoo.co.kr yahoo.co.nz yahoo.co.uk yahoo.co.za yahoo.com yahoo.com.ar
  yahoo.com.au yahoo.com.br yahoo.com.cn yahoo.com.hk yahoo.com.mx yahoo.com.my yahoo.com.ph yahoo.com.sg yahoo.com.tr
  yahoo.com.tw yahoo.com.vn yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.ie yahoo.in yahoo.it yahoo.nl yahoo.no
  yahoo.pl yahoo.ro yahoo.se yandex.by yandex.com yandex.kz yandex.ru yandex.ua ya.ru yeah.net ymail.com zoho.com zohomail.com
  ziggo.nl bk.ru inbox.ru internet.ru
  `
    .trim()
    .split(/\s+/),
);
