/// Words of addresses that are written in more than one way.
struct Abbreviations: Sendable {
  /// The common ones.
  static let standard = Abbreviations()

  private let others: [[UInt8]: [[UInt8]]]
  private let words: [[UInt8]]

  private init() {
    var others: [[UInt8]: [[UInt8]]] = [:]
    for group in Self.groups {
      let group = group.split(separator: " ").map { FoldedWord.bytes(of: Array($0.utf8)) }
      for word in group {
        for other in group where other != word && others[word]?.contains(other) != true {
          others[word, default: []].append(other)
        }
      }
    }
    self.others = others
    words = others.keys.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The other ways to write a word.
  func alternatives(to word: [UInt8]) -> [[UInt8]] {
    (others[word] ?? alternativeEndings(of: word)) + Self.alternativeArticles(of: word)
  }

  /// The other ways to write the end of a word that is written together: "hauptstr" for "hauptstrasse".
  func alternativeEndings(of word: [UInt8]) -> [[UInt8]] {
    Self.endings.compactMap { ending, other in
      guard word.count > ending.count, word.ends(with: ending) else { return nil }
      return word.dropLast(ending.count) + other
    }
  }

  /// A word of Arabic with its article, or without it, as people leave it out.
  private static func alternativeArticles(of word: [UInt8]) -> [[UInt8]] {
    guard let first = word.first, isArabic(first) else { return [] }
    guard word.starts(with: article) else { return [article + word] }
    let bare = Array(word.dropFirst(article.count))
    return letterCount(of: bare) > 2 ? [bare] : []
  }

  /// The beginning of a word of Arabic with its article, which was not typed; `nil` of others.
  func withArticle(_ prefix: [UInt8]) -> [UInt8]? {
    guard let first = prefix.first, Self.isArabic(first), Self.letterCount(of: prefix) > 2,
      !prefix.starts(with: Self.article)
    else { return nil }
    return Self.article + prefix
  }

  private static let article = Array("ال".utf8)

  /// Whether a character of UTF-8 that begins so is of Arabic.
  private static func isArabic(_ byte: UInt8) -> Bool { byte >= 0xD8 && byte <= 0xDB }

  /// The other ways to write the words that begin with `prefix`, once it is three letters long.
  func alternatives(toWordsFrom prefix: [UInt8]) -> [[UInt8]] {
    guard Self.letterCount(of: prefix) > 2 else { return [] }
    var low = 0
    var high = words.count
    while low < high {
      let middle = (low + high) / 2
      if words[middle].lexicographicallyPrecedes(prefix) { low = middle + 1 } else { high = middle }
    }
    var found: [[UInt8]] = []
    while low < words.count, words[low].starts(with: prefix) {
      found += alternatives(to: words[low])
      low += 1
    }
    return found
  }

  /// The other ways to write the words from which one differs by a typing mistake: "ave" for "avneue".
  func alternatives(toMistyped word: [UInt8]) -> [[UInt8]] {
    guard Self.letterCount(of: word) > 3 else { return [] }
    return words.filter { Self.letterCount(of: $0) > 3 && Self.differByOneMistake(word, $0) }
      .flatMap(alternatives(to:))
  }

  /// How many characters a word in UTF-8 has.
  private static func letterCount(of word: [UInt8]) -> Int { word.count { $0 & 0xC0 != 0x80 } }

  /// Whether one byte is missing in either word, or another, or two are exchanged.
  private static func differByOneMistake(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let shorter = min(left.count, right.count)
    var start = 0
    while start < shorter, left[start] == right[start] { start += 1 }
    var end = 0
    while end < shorter - start, left[left.count - 1 - end] == right[right.count - 1 - end] {
      end += 1
    }
    let (mine, theirs) = (left.count - start - end, right.count - start - end)
    if mine <= 1, theirs <= 1 { return mine + theirs > 0 }
    return mine == 2 && theirs == 2 && left[start] == right[start + 1]
      && left[start + 1] == right[start]
  }

  /// The ends of words that are written together: "Hauptstr." for "Hauptstraße", "Storgt." for
  /// "Storgata".
  private static let endings: [(ending: [UInt8], other: [UInt8])] = [
    ("str", "strasse"), ("strasse", "str"), ("pl", "platz"), ("platz", "pl"),
    ("str", "straat"), ("straat", "str"), ("gt", "gata"), ("gata", "gt"), ("gt", "gate"),
    ("gate", "gt"),
  ].map { (Array($0.utf8), Array($1.utf8)) }

  /// Groups of words that mean the same.
  ///
  /// A word may be in several. What is abbreviated with a hyphen ("пр-т") is written together here.
  private static let groups = [
    "street st str", "saint st sankt", "sainte ste", "avenue ave av aven", "avenida av avda",
    "boulevard blvd boul bd", "road rd", "drive dr", "lane ln", "court ct crt", "place pl",
    "square sq", "terrace ter terr tce", "circle cir circ", "highway hwy", "parkway pkwy pky",
    "expressway expy", "freeway fwy", "turnpike tpke", "route rte rt", "alley aly", "crescent cres",
    "trail trl", "bridge br brg", "heights hts", "mount mt", "mountain mtn mt", "mountains mtns",
    "fort ft", "point pt", "island isl", "islands isls", "harbor harbour hbr", "center centre ctr",
    "junction jct jctn", "plaza plz", "apartment apt", "suite ste", "building bldg", "floor fl",
    "room rm", "north n", "south s", "east e", "west w", "northeast ne", "northwest nw",
    "southeast se", "southwest sw", "doctor dr", "junior jr", "township twp", "county co",
    "park pk", "station sta stn", "river riv", "crossing xing", "estate est", "estates ests",
    "garden gdn", "gardens gdns", "grove grv", "hill hl", "hills hls", "landing lndg", "manor mnr",
    "meadow mdw", "meadows mdws", "orchard orch", "ridge rdg", "spring spg", "springs spgs",
    "summit smt", "valley vly", "village vlg", "lake lk", "lakes lks", "creek crk", "canyon cyn",
    "cove cv", "beach bch", "bend bnd", "bluff blf", "brook brk", "causeway cswy", "corner cor",
    "corners cors", "falls fls", "ferry fry", "field fld", "fields flds", "forest frst",
    "gateway gtwy", "glen gln", "green grn", "haven hvn", "hollow holw", "knoll knl", "mill ml",
    "mills mls", "motorway mwy", "neck nck", "port prt", "prairie pr", "ranch rnch", "rapids rpds",
    "shore shr", "shores shrs", "tunnel tunl", "viaduct via", "walk wlk", "cape cpe",
    "reservoir res", "cemetery cem", "memorial mem meml", "library lib", "museum mus",
    "elementary elem", "school sch", "hospital hosp", "university univ", "college coll",
    "national natl", "international intl", "airport arpt", "railroad rr", "railway rwy",
    "department dept", "chemin ch", "strasse str", "platz pl", "faubourg fg", "allée all",
    "impasse imp", "calle cl c", "plaza pza", "carretera ctra", "paseo pso", "rua r", "travessa tv",
    "praça pça", "estrada estr", "via v", "viale vle", "piazza pza", "corso cso", "largo lgo",
    "straat str", "ulica ul", "aleja al", "plac pl", "osiedle os", "náměstí nám", "třída tř",
    "first 1st", "second 2nd", "third 3rd", "fourth 4th",
    "fifth 5th", "sixth 6th", "seventh 7th", "eighth 8th", "ninth 9th", "tenth 10th",
    "eleventh 11th", "twelfth 12th", "thirteenth 13th", "fourteenth 14th", "fifteenth 15th",
    "sixteenth 16th", "seventeenth 17th", "eighteenth 18th", "nineteenth 19th", "twentieth 20th",
    "улица ул", "проспект пр просп прт пркт", "проезд пр прд", "переулок пер", "площадь пл",
    "набережная наб", "бульвар бул бр", "шоссе ш", "аллея ал", "тупик туп", "линия лин",
    "квартал кв квл", "микрорайон мкр мкрн", "город г гор", "село с", "деревня д дер",
    "посёлок пос п",
    "дом д", "корпус к корп", "строение стр", "квартира кв", "область обл", "район рн",
    "река реки р", "станция ст", "святого св", "святой св", "вулиця вул", "провулок пров",
    "площа пл",
    "набережна наб",
    "οδός οδ", "λεωφόρος λεωφ λ", "πλατεία πλ", "רחוב רח", "שדרות שד", "شارع ش",
    "caddesi cad cd", "sokağı sokak sok sk", "bulvarı bulvar blv", "mahallesi mah mh",
    "strada str", "bulevardul bd", "soseaua sos", "interstate i",
    "way wy", "close cl", "crescent cr", "parade pde", "esplanade esp", "circuit cct",
    "recreational recreation rec", "public pub", "general gen", "captain capt", "colonel col",
    "lieutenant lt", "professor prof", "thirtieth 30th", "fortieth 40th", "fiftieth 50th",
    "sixtieth 60th", "seventieth 70th", "eightieth 80th", "ninetieth 90th", "hauptbahnhof hbf",
    "bahnhof bhf", "rue r", "boulevard bld bvd", "faubourg fbg", "chaussée chée ch",
    "général gal gén", "maréchal mal", "docteur dr", "résidence rés", "paseo po", "plaza pl",
    "carrera cra kra cr", "camino cno", "santa sta", "santo sto", "nuestra ntra", "señora sra",
    "alameda al", "rodovia rod", "jardim jd", "vila vl", "parque pq", "travessa trav",
    "piazza pzza", "san s", "località loc", "frazione fraz", "plein pl", "laan ln", "gate gt",
    "gata gt", "aleje al", "świętego św", "świętej św", "utca u", "körút krt", "đường đ",
    "phường p", "quận q", "jalan jl jln", "taman tmn", "kampung kg", "lorong lrg", "tänav tn",
    "maantee mnt", "puiestee pst", "большая б бол", "большой б бол", "малая м мал", "малый м мал",
    "верхняя верх", "нижняя нижн", "площад пл", "αγίου αγ", "αγίας αγ", "άγιος αγ", "εθνικής εθν",
    "خیابان خ", "بلوار بل", "서울특별시 서울시", "부산광역시 부산시", "대구광역시 대구시",
    "인천광역시 인천시", "광주광역시 광주시", "대전광역시 대전시", "울산광역시 울산시",
    "세종특별자치시 세종시", "강원특별자치도 강원도", "전북특별자치도 전라북도 전북",
    "제주특별자치도 제주도", "충청북도 충북", "충청남도 충남", "전라남도 전남", "경상북도 경북",
    "경상남도 경남",
  ]
}

extension [UInt8] {
  fileprivate func ends(with ending: [UInt8]) -> Bool { suffix(ending.count).elementsEqual(ending) }
}
