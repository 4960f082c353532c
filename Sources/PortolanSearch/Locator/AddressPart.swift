/// The part of an address that a field contains, judged by its name.
enum AddressPart: Int, Hashable, Sendable {
  case number, letter, direction, street, suffix, unit, city, postcode, region

  /// Reads the name of a field; `nil` if it is no part of an address.
  init?(field name: String) {
    let plain = name.lowercased().filter { $0.isLetter || $0.isNumber }
    guard let part = Self.names.first(where: { $0.value.contains(plain) })?.key else { return nil }
    self = part
  }

  /// Whether it is behind another part without a comma.
  func follows(_ other: AddressPart?) -> Bool {
    guard let other, self != other else { return false }
    return isOfLine && other.isOfLine || self == .postcode && other == .region
  }

  /// Whether it is a part of what is written as one: "12 N Main St".
  private var isOfLine: Bool {
    switch self {
    case .number, .letter, .direction, .street, .suffix: true
    case .unit, .city, .postcode, .region: false
    }
  }

  private static let names: [AddressPart: Set<String>] = [
    .number: [
      "housenumber", "housenum", "houseno", "hausnummer", "addressnumber", "addrnumber", "addrnum",
      "stnumber", "streetnumber", "stnum", "addnumber", "addhousenumber", "addrhousenumber",
      "addnum", "addno", "stno", "civicnumber", "civicno", "hausnr", "hnr", "numero", "numéro",
      "civico", "numerocivico", "huisnummer", "huisnr", "husnummer", "husnr", "номердома",
      "house", "housenbr", "hno", "streetno", "buildingnumber", "numberfirst", "addrhouse", "дом",
      "number", "num", "no", "nr",
    ],
    .letter: [
      "addnumsuf", "addnumbersuffix", "housenumbersuffix", "housesuffix", "numsuf", "zusatz",
      "hausnrzusatz", "hausnummerzusatz", "hnrzusatz", "rep", "huisletter", "husbokstav",
    ],
    .direction: ["predir", "stpredir", "predirection", "streetpredir", "direction"],
    .street: [
      "street", "streetname", "stname", "roadname", "strasse", "stfullname", "fullstreet",
      "fullstreetname", "addrstreet", "roadfullname", "straße", "strassenname", "straßenname",
      "strname", "nomvoie", "libellevoie", "nomrue", "rue", "voie", "calle", "nombrevia", "nomevia",
      "rua", "logradouro", "straat", "straatnaam", "openbareruimtenaam", "vejnavn", "gatenavn",
      "adressenavn", "gata", "ulica", "улица", "thoroughfare", "addrstree",
    ],
    .suffix: [
      "streettype", "sttype", "stsuffix", "suftype", "posttype", "sufdir", "postdir", "stpostyp",
      "stposdir",
    ],
    .unit: ["unit", "unitnumber", "apartment", "suite"],
    .city: [
      "city", "town", "municipality", "municipal", "community", "postcomm", "addrcity", "place",
      "cityname", "ort", "ortsname", "gemeinde", "stadt", "nomcommune", "commune", "ville",
      "ciudad",
      "municipio", "localidad", "comune", "cidade", "plaats", "woonplaats", "woonplaatsnaam",
      "poststed", "postnummerstad", "postort", "kommune", "miasto", "город", "posttown", "locality",
      "localityname", "suburb",
    ],
    .postcode: ["zip", "zipcode", "postcode", "postalcode", "addrpostcode", "plz"],
    .region: ["state", "province", "region", "statename"],
  ]
}
