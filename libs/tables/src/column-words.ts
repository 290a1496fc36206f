/**
 * How programs and people name columns, in English, Swedish, Norwegian, Danish, Finnish, German, Dutch, French, Spanish,
 * Portuguese, Italian and Polish: folded, without blanks and signs. `name` is also what some languages call the last or the first
 * name beside the other one.
 */
export const peopleWords = {
  name: `name fullname displayname contact contactname contactfullname leadname personname clientname recipient
    namn fullstandigtnamn kontakt kontaktnamn visningsnamn   
    navn fulltnavn fuldtnavn kontaktnavn visningsnavn nimi kokonimi 
    vollstandigername vollername anzeigename kontaktname 
    naam volledigenaam weergavenaam
    nom nomcomplet nomducontact nometprenom prenometnom nomprenom prenomnom 
    nombre nombrecompleto nombreyapellidos nombredelcontacto contacto 
    nome nomecompleto nomedocontato contato contatto nominativo nomecognome nomeecognome nomedelcontatto 
    imieinazwisko nazwa pelnenazwisko pelnaimieinazwisko`,
  first: `firstname givenname forename fname contactfirstname fornamn tilltalsnamn fornavn etunimi vorname rufname voornaam prenom
    nombredepila primernombre primeironome primonome imie`,
  middle: `middlename additionalname additionalnames middlenames mellannamn andranamn mellomnavn mellemnavn toinennimi keskinimi
    weiterevornamen zweitervorname mittelname middelstenaam tussenvoegsel deuxiemeprenom secondprenom autresprenoms
    segundonombre segundonome nomedomeio secondonome drugieimie`,
  last: `lastname familyname surname lname contactlastname efternamn slaktnamn etternavn efternavn sukunimi nachname familienname
    zuname achternaam familienaam nomdefamille apellido apellidos primerapellido sobrenome apelido ultimonome cognome nazwisko`,
  suffix: `suffix namesuffix suffixe sufijo sufixo suffisso namnsuffix namenszusatz jalkiliite achtervoegsel`,
  customer: `customer customername kund kundnamn client kunde kundename kundenavn kundnavn asiakas asiakkaannimi klant klantnaam
    clientnom nomduclient cliente nombredelcliente nomedocliente klient nazwaklienta`,
  contact: `contactperson kontaktperson erreferens kundreferens yhteyshenkilo ansprechpartner ansprechperson contactpersoon
    contactprincipal personadecontacto referente osobakontaktowa interlocuteur`,
  company: `company companyname account accountname companyaccount firmaaccount foretagkonto societecompte firmakonto bedrijfaccount cuentaempresa organization organisation organizationname organisationname
    organization1name associatedcompany primarycompany primaryassociatedcompany businessname employer companyoraccount
    foretag foretagsnamn bolag bolagsnamn organisationsnamn arbetsgivare primartforetag associeratforetag
    firma bedrift firmanavn virksomhed virksomhet selskap organisasjon yritys yrityksennimi organisaatio
    unternehmen unternehmensname firmenname firmaname gesellschaft bedrijf bedrijfsnaam organisatie
    societe entreprise nomdelasociete nomdelentreprise raisonsociale organisme
    empresa organizacion compania nombredelaempresa razonsocial organizacao nomedaempresa
    azienda societa organizzazione ragionesociale nomeazienda nazwafirmy organizacja przedsiebiorstwo`,
  email: `email mail emailaddress mailaddress emailaddresses emails emailid contactemail personemail primaryemailaddress emailadress
    epost epostadress epostadresse mejl mejladress mailadress epostadresser mailadresse emailadresse emailadressen
    sahkoposti sahkopostiosoite emailadres mailadres mailadressen
    adressemail adresseemail adressedemessagerie adressedecourriel courriel adresseelectronique couriel messagerie
    correo correoelectronico direcciondecorreoelectronico direccioncorreoelectronico direcciondecorreo direcciondeemail
    enderecodeemail enderecodecorreioeletronico correioeletronico emaildocontato correioelectronico enderecodecorreioelectronico
    postaelettronica indirizzopostaelettronica indirizzodipostaelettronica indirizzoemail indirizzodiposta indirizzomail
    adresemail adresemailowy mailowy pocztaelektroniczna adrespocztyelektronicznej`,
  phone: `phone phonenumber phonenumbers telephone telephonenumber tel telno phoneno contactphone companyphone directphone directdial
    mobile mobilephone mobilenumber mobilephonenumber cell cellphone cellphonenumber cellular mobileno
    telefon telefonnummer telefonnr mobil mobiltelefon mobilnummer mobilnr mobiltelefonnummer telefonforetag direktnummer
    telefonforetaget vaxel mobiltelefonnr telefonbostad tlf telefonnumre mobiltlf
    puhelin puhelinnumero matkapuhelin puhelinnro tyopuhelin kotipuhelin kannykka
    rufnummer handy handynummer festnetz haupttelefon telefonfirma rufnr telefonzentrale
    telefoon telefoonnummer mobiel mobielnummer mobieletelefoon gsm mobielnr mobieletelefoonnummer
    telephonemobile telmobile telportable portable numerodetelephone numerodemobile mobilephonefr teleprofessionnel
    telefono numerodetelefono movil telefonomovil celular numerodecelular telefonomovilnumero
    telefone numerodetelefone telemovel telefonecelular telefonemovel numerodecelularmovel
    cellulare telefonocellulare numeroditelefono telefonino numerodicellulare
    telefonkomorkowy komorka numertelefonu nrtelefonu telkomorkowy numertelefonukomorkowego`,
  notes: `notes note comment comments description remarks remark leadnotes contactnotes message additionalinfo memo
    anteckningar anteckning kommentar kommentarer ovrigt beskrivning notering noteringar meddelande
    notater notat noter bemerkninger merknad merknader beskrivelse muistiinpanot huomautukset kommentit lisatiedot
    notizen notiz bemerkung bemerkungen anmerkung anmerkungen beschreibung kommentare
    notities opmerkingen opmerking omschrijving beschrijving remarques commentaire commentaires
    notas comentarios comentario observaciones descripcion anotacoes observacoes descricao
    commenti annotazioni descrizione osservazioni notatki uwagi komentarz opis`,
};

/** What the columns of a postal address are called, for services that read one, likewise. */
export const addressWords = {
  address: `formatted formattedaddress fulladdress hela helaadressen vollstandigeadresse`,
  street: `street streetaddress address addressline addressline1 addressline2 addressline3 billingstreet mailingstreet billingaddress invoiceaddress
    postaladdress mailingaddress homeaddress extendedaddress pobox
    adress gata gatuadress utdelningsadress postadress fakturaadress faktureringsadress adressrad coadress box postbox
    adresse gateadresse vejnavn gade gate postadresse faktureringsadresse fakturaadresse osoite katuosoite lahiosoite postiosoite
    strasse str strassehausnummer strasseundhausnummer anschrift rechnungsadresse postanschrift postfach
    adres straat straatnaam factuuradres postbus rue voie ligneadresse adressefacturation adressedefacturation boitepostale
    calle direccion domicilio direccionpostal direcciondefacturacion rua endereco morada logradouro
    via indirizzo indirizzofatturazione ulica adresulica`,
  visit: `visitingaddress visitaddress besoksadress shippingstreet shippingaddress deliveryaddress leveransadress levadress besoksadresse
    leveringsadresse kayntiosoite toimitusosoite lieferadresse lieferanschrift afleveradres adressedelivraison direcciondeenvio`,
  postcode: `faktureringspostnummer faktureringspostnr fakturapostnummer fakturapostnr postalcode postcode zip zipcode zippostalcode billingzippostalcode billingpostalcode billingzip mailingzippostalcode mailingpostalcode
    postnummer postnr postkod postnumero plz postleitzahl codepostal cp codigopostal codigopostalzip cep cap codicepostale
    kodpocztowy`,
  city: `postnrochort postnummerochort postnrort postnummerort postnummerochpostort postnummerpostort faktureringsort fakturaort plzort
    plzundort postnummerogby postnummerogsted codepostaletville city town locality billingcity mailingcity ort postort stad postadressort by poststed sted kaupunki postitoimipaikka
    stadt wohnort plaats woonplaats ville localite commune ciudad poblacion localidad cidade localita citta comune miasto miejscowosc`,
  region: `region state province stateprovince county billingstate billingstateprovince mailingstate mailingstateprovince stateregion
    lan delstat fylke maakunta bundesland kanton provincie departement provincia estado regione wojewodztwo`,
  country: `country countryregion billingcountry mailingcountry land landregion landregionen maa maatalue pays paysregion pais paisregion paese
    paesearea kraj krajregion`,
};
export type AddressColumn = keyof typeof addressWords;

/** What columns of people and companies have, in the files of any service. */
export type PeopleColumn = keyof typeof peopleWords;

/** Words that say which of several a column has, or whose, and not what it is. */
export const qualifiers = `value mobile mobil cell number no nr 1 2 3 4 5 6 7 8 9 work home business other primary main personal private office preferred
  direct default default company person persons people contact contacts lead leads customer client billing invoice
  arbete arbetet arbets jobb hem hemmet bostad privat ovrig ovrigt annan annat primar huvud kund faktura adress address
  arbeid arbeide arbejde hjem andre annen anden op tyo koti muu henkilo asiakkaan
  geschaftlich geschaft arbeit weitere weiteres weiterer primare haupt buro kontakt kunde kunden adresse
  werk thuis zakelijk overig prive persoon adres
  bureau domicile professionnel professionnelle travail prive personnel personnelle autre principal principale personne adressede
  trabajo casa particular otro personal laboral principal oficina persona direccion
  comercial trabalho residencial outro pessoa escritorio endereco
  ufficio lavoro abitazione altro privato principale indirizzo
  sluzbowy sluzbowe domowy domowe inny osoba prywatny glowny de del da do di du des la le el o til for au`;

/** Words of columns that say of what kind the value of another column is. */
export const labelWords = `label labels type typ tipo tyyppi etikett beteckning bezeichnung libelle etiqueta etichetta`;
