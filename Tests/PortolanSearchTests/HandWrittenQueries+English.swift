extension HandWrittenQueries {
  /// Queries in English.
  static let english = [
    HandWrittenQueries(
      "The made-up town",
      labels: #"""
        104 Alder Street, Mapleham
        106 Alder Street, Mapleham
        1040 Alder Street, Mapleham
        104 Alderwood Lane, Northbridge
        12A Birch Avenue, Saltmarsh
        12 Birch Avenue, Saltmarsh
        14-18 Birch Avenue, Saltmarsh
        20½ Birch Avenue, Saltmarsh
        7 North Second Avenue, Kingsferry
        7 South Second Avenue, Kingsferry
        350 5th Avenue, Kingsferry
        35 East 42nd Street, Kingsferry
        St. Mary's Church
        St. Martin's Hall
        Hawthornfield Pumping Station
        Hawthornfield Public Library
        Hawthornfield Fire Station
        Mount Rowan Cemetery
        Interstate 95
        US Highway 1
        County Road 12
        State Route 9
        Seven Hills Road
        Dr. Martin Luther King Jr. Boulevard
        Juniper Crescent
        Willow Close
        O'Brien Court
        Larch Way
        Cypress Parade
        General Fern Square
        5 Poplar Terrace, Unit 3
        """#,
      #"""
      104 Alder Street, Mapleham
        104 alder street mapleham
        104 Alder St
        ALDER ST 104
        104, alder street
        mapleham 104 alder
        104 alder str.
        #104 alder
        No. 104 Alder St.
        104alder street
        104 alderstreet
        104 adler street
        104 aldr street
        104 aldeer street
        104 slder street
        104 lader street
        104 lder street
        104 balder street
        104 alder steret
        104 alder dtreet
        104 alder street, mapelham
        104 alder street, Mapleham, ME 04401, USA
        104 alder apt 4
        104 alder st apt4
        104 alder st #4
        apt 4, 104 alder st
        apt4 104 alder
        apt. 4b 104 alder
        apt #4 104 alder
        #4 104 alder st
        flat 2/1 104 alder st
        flat 2/1, 104 alder street, mapleham
        suite 3/104 alder st
        unit 3/104 alder st
        3/104 alder st
        4b/104 alder st
        ground floor flat, 104 alder st
        2nd floor, 104 alder st
        ste 300 104 alder
        unit 12-14 104 alder
        104-106 alder
        104 & 106 alder st
        104 and 106 alder st
        104/106 alder st
      -
        105 alder street
      12A Birch Avenue, Saltmarsh
        12a birch
        12 a birch ave
        12-a birch av
        12/a birch avenue
      12 Birch Avenue, Saltmarsh
        12 birch
        12b birch
      14-18 Birch Avenue, Saltmarsh
        14-18 birch ave
        14–18 birch ave
        14 to 18 birch ave
        16 birch ave
      20½ Birch Avenue, Saltmarsh
        20 1/2 birch
      7 North Second Avenue, Kingsferry
        7 n 2nd ave
        7 north 2nd av
        7 n second avenue kingsfery
      7 South Second Avenue, Kingsferry
        7 s. second ave.
      350 5th Avenue, Kingsferry
        350 5th ave
        350 fifth avenue
        350 5 ave
      35 East 42nd Street, Kingsferry
        35 e 42nd st
        35 e 42 st
        35 east forty-second street
      St. Mary's Church
        st marys church
        saint mary's
        st mary church
        st mary’s church
        church st mary
      Hawthornfield Pumping Station
        hawthornfield pump
        hawthornfield pumping sta
        pumping station hawthornfeild
        hawthorn pump sta
      Hawthornfield Public Library
        hawth pub lib
        hawthornfield libary
      Mount Rowan Cemetery
        mt rowan
        mt. rowan cem
        mt rowan cemetary
      Interstate 95
        i95
        I-95
        i 95
      US Highway 1
        us 1
        us-1
        us1
        u.s. hwy 1
      County Road 12
        co rd 12
        cr 12
      State Route 9
        state rte 9
        sr 9
      Seven Hills Road
        7 hills rd
      Dr. Martin Luther King Jr. Boulevard
        mlk blvd
        martin luther king blvd
        doctor martin luther king junior
      Juniper Crescent
        juniper cr
        juniper cres
      Willow Close
        willow cl
      O'Brien Court
        obrien ct
        o brien court
      Larch Way
        larch wy
      Cypress Parade
        cypress pde
      General Fern Square
        gen fern sq
        gen. fern square
      5 Poplar Terrace, Unit 3
        3/5 poplar terrace
        unit 3 5 poplar tce
        5 poplar ter unit 3
      """#),
    HandWrittenQueries(
      "Places of the samples",
      labels: #"""
        Hillside Trail - Baldwin Hills
        Santa Fe Dam Recreational Area
        Frank G. Bonelli Regional Park
        Placerita Canyon State Park
        Placerita Canyon Natural Area
        Park to Playa Trail
        Ballona Creek Bike Path
        Rons Trail
        Norman O Houston Park
        Chesler Park Loop Trail
        Queen Annes Bottom Road
        Murphy Point Trail
        Grand View Point
        Salt Lake City
        New York
        New Hampshire
        North Dakota
        Saint Paul
        Winston-Salem
        Mount Desert Island
        Acadia National Park
        Cadillac Mountain
        """#,
      #"""
      Hillside Trail - Baldwin Hills
        baldwin hills hillside
        hillside trl baldwin hls
      Santa Fe Dam Recreational Area
        santa fe dam
        sta fe dam
        santafe dam rec area
      Frank G. Bonelli Regional Park
        bonelli park
        frank bonelli
        frank g bonnelli regional park
      Placerita Canyon State Park
        placerita cyn state pk
        placereta canyon state park
      Placerita Canyon Natural Area
        placerita canyon nat
      Ballona Creek Bike Path
        ballona crk bike path
        balona creek
      Rons Trail
        ron's trail
      Norman O Houston Park
        norman o. houston
      Chesler Park Loop Trail
        chesler loop
      Queen Annes Bottom Road
        queen anne's bottom
        queen anne bottom rd
      Murphy Point Trail
        murphys point trail
        murphey pt trl
      Grand View Point
        grandview point
        grand veiw pt
      Salt Lake City
        salt lake cty
        salt lakecity
      New York
        newyork
        new yrok
        ney york
      North Dakota
        n dakota
      New Hampshire
        new hampsire
        new hamphire
      Saint Paul
        st paul
        st. paul
      Winston-Salem
        winston salem
        winstonsalem
      Mount Desert Island
        mt desert isl
      Acadia National Park
        acadia natl pk
        accadia national park
      Cadillac Mountain
        cadilac mtn
        mt cadillac
      """#),
  ]
}
